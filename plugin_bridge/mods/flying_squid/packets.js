'use strict'
// The packets of the wire contract (PROTOCOL.md): building those that leave, checking those that arrive.
// Nothing past this file sees JSON, and nothing else knows what a packet must look like.

const { clean, isComponent } = require('./text')

const PROTOCOL = 1
const MOST_ONLINE = 5000
const MOST_WORDS = 32
const WORD_LENGTH = 256
const KEY = /^[\w.:-]{1,64}$/

// ---- to the daemon

function hello ({ platformVersion = null, modVersion, spool, first, time, online }) {
  return {
    type: 'hello',
    protocol: PROTOCOL,
    platform: 'flying-squid',
    platform_version: platformVersion,
    mod_version: modVersion,
    spool,
    first,
    time,
    online: online.slice(0, MOST_ONLINE).map(present)
  }
}

/** Without its number, which the spool gives. */
function kill ({ time, killer, victim, cause, weapon, world }) {
  return { type: 'kill', time, killer: who(killer), victim: who(victim), cause: key(cause) || 'attack', weapon: key(weapon), world: key(world) }
}

/** Without its number, which the spool gives. */
function death ({ time, victim, cause, world }) {
  return { type: 'death', time, victim: who(victim), cause: key(cause) || 'other', world: key(world) }
}

const join = player => ({ type: 'join', player: present(player) })
const quit = id => ({ type: 'quit', player: id })
const world = (id, name) => ({ type: 'world', player: id, world: name })

function command ({ id, sender, world, words, permissions }) {
  return {
    type: 'command',
    id,
    sender: sender && who(sender),
    world: key(world),
    words: words.slice(0, MOST_WORDS).map(word => word.slice(0, WORD_LENGTH)),
    permissions
  }
}

const who = ({ id, name }) => ({ id, name })
const present = ({ id, name, world, address = null }) => ({ id, name, world: key(world), address })
const key = value => typeof value === 'string' && KEY.test(value) ? value : null

// ---- from the daemon

const isText = value => typeof value === 'string'
const isNumber = value => typeof value === 'number' && Number.isFinite(value)
const isCount = value => Number.isSafeInteger(value) && value >= 0
const isFlag = value => typeof value === 'boolean'
const isWhere = value => ['chat', 'action_bar', 'title'].includes(value)
const orNull = check => value => value === null || value === undefined || check(value)
const listOf = check => value => Array.isArray(value) && value.every(check)

const SHAPES = {
  welcome: { protocol: isCount, seq: isCount, window: value => isCount(value) && value > 0 },
  settings: {
    combat_window: value => isNumber(value) && value >= 0,
    combat_log: value => value === 'kill' || value === 'ignore',
    tab_list: isFlag,
    name_tag: isFlag
  },
  ack: { seq: isCount },
  label: { player: isText, prefix: orNull(isComponent), index: orNull(Number.isSafeInteger) },
  message: { player: isText, where: isWhere, text: isComponent, subtitle: orNull(isComponent) },
  broadcast: { where: isWhere, text: isComponent, subtitle: orNull(isComponent), permission: orNull(isText) },
  reply: { id: isText, lines: listOf(isComponent) },
  top: { rows: Array.isArray },
  error: { code: isText, text: isText, seq: orNull(isCount), id: orNull(isText) }
}

/**
 * What a frame holds: `packets` in order, their texts cleaned, and `faults`, one line for each packet that breaks
 * the contract. Packets of types this version does not know are passed over, as newer daemons may send some.
 */
function readFrame (frame) {
  let raw
  try {
    raw = JSON.parse(frame)
  } catch {
    return { packets: [], faults: ['a frame that is not JSON'] }
  }
  const packets = []
  const faults = []
  for (const packet of Array.isArray(raw) ? raw : [raw]) {
    const type = packet?.type
    if (!isComponent(packet) || !isText(type)) faults.push('a packet without a type')
    else if (Object.hasOwn(SHAPES, type)) {
      const wrong = Object.keys(SHAPES[type]).find(field => !SHAPES[type][field](packet[field]))
      if (wrong) faults.push(`"${wrong}" in a packet of type "${type}"`)
      else packets.push(tidy(packet))
    }
  }
  return { packets, faults }
}

function tidy (packet) {
  const out = { ...packet }
  for (const field of ['text', 'subtitle', 'prefix']) if (isComponent(out[field])) out[field] = clean(out[field])
  if (out.type === 'reply') out.lines = out.lines.map(clean)
  if (isText(out.player)) out.player = out.player.toLowerCase()
  return out
}

module.exports = { PROTOCOL, hello, kill, death, join, quit, world, command, readFrame }
