'use strict'
// Chat text on its way from the daemon to a client. The daemon sends JSON text components; clients up to
// 1.20.2 read them as a JSON string, later ones as NBT.

const COLORS = new Set(['black', 'dark_blue', 'dark_green', 'dark_aqua', 'dark_red', 'dark_purple', 'gold', 'gray',
  'dark_gray', 'blue', 'green', 'aqua', 'red', 'light_purple', 'yellow', 'white'])
const HEX = /^#[0-9a-fA-F]{6}$/
const STYLES = ['bold', 'italic', 'underlined', 'strikethrough', 'obfuscated']
const MOST_CHARACTERS = 20000 // a client cuts the connection over strings it finds too long
const DEEPEST = 32

/**
 * A component with nothing in it but what the contract allows. What is of a wrong type or beyond the limits is
 * left out: a client that cannot parse a text leaves the server, so nothing unknown may get through to it.
 */
function clean (value) {
  let room = MOST_CHARACTERS
  const part = (raw, depth) => {
    const text = typeof raw.text === 'string' ? raw.text.slice(0, room) : ''
    room -= text.length
    const out = { text }
    if (COLORS.has(raw.color) || (typeof raw.color === 'string' && HEX.test(raw.color))) out.color = raw.color
    for (const style of STYLES) if (typeof raw[style] === 'boolean') out[style] = raw[style]
    const extra = Array.isArray(raw.extra) && depth < DEEPEST ? raw.extra.filter(isComponent) : []
    if (extra.length > 0) out.extra = extra.map(child => part(child, depth + 1))
    return out
  }
  return isComponent(value) ? part(value, 0) : { text: '' }
}

function isComponent (value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is left of a component on a screen without colours, such as the console. */
function plain (component) {
  return component.text + (component.extra || []).map(plain).join('')
}

/** Several components as one, none of which gives its style to its neighbours. */
function join (...parts) {
  return { text: '', extra: parts }
}

/** The component as the NBT tree that minecraft-protocol writes. */
function toNbt (component) {
  return { type: 'compound', name: '', value: nbtFields(component) }
}

function nbtFields (component) {
  const fields = { text: { type: 'string', value: component.text } }
  if (component.color) fields.color = { type: 'string', value: component.color }
  for (const style of STYLES) {
    if (style in component) fields[style] = { type: 'byte', value: component[style] ? 1 : 0 }
  }
  if (component.extra) {
    fields.extra = { type: 'list', value: { type: 'compound', value: component.extra.map(nbtFields) } }
  }
  return fields
}

module.exports = { clean, isComponent, plain, join, toNbt }
