'use strict'
// One file of the spool. Each line is a checksum, a space and one JSON value:
//
//   5f0c2a91 {"spool":"Zk3vQ9x2LmT0","acked":40}     begins the file: the spool id, and what was stored at that time
//   07d31be4 {"type":"kill","seq":41,…}             an event, just as it is sent
//   c81f0a3d {"acked":41}                            a mark: the daemon has stored everything up to 41
//
// The name, events-<generation>-<first>-<spool id>.spool, puts the files in order and keeps the id should the first
// line be lost. A generation is everything written since the files were last made anew.
// Files that end in .jsonl are of the first version of this mod: no checksums, and no id in the name.

const crypto = require('crypto')

const NAME = /^events-(\d+)-(\d+)(?:-([\w-]{8,64})\.spool|\.jsonl)$/
const SEAL = /^([0-9a-f]{8}) (\{.*\})$/s
const SEAL_START = /[0-9a-f]{8} \{/g
const OLD_ID = /"spool":"([\w-]{8,64})"/

function nameOf (generation, first, id) {
  return `events-${generation}-${String(first).padStart(12, '0')}-${id}.spool`
}

/** {name, generation, first, id} of a file of the spool, null for any other file. An old file has no id. */
function parseName (name) {
  const match = NAME.exec(name)
  return match && { name, generation: Number(match[1]), first: Number(match[2]), id: match[3] ?? null }
}

function header ({ id, acked }) {
  return seal(JSON.stringify({ spool: id, acked }))
}

function mark (acked) {
  return seal(JSON.stringify({ acked }))
}

/** The line with its checksum. */
function seal (text) {
  return `${checksum(text)} ${text}\n`
}

function checksum (text) {
  return crypto.createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/**
 * What a file holds: {id, acked, events, unreadable, torn, tidy}.
 * `events` are {seq, text} with growing numbers, however the lines stand. `unreadable` counts the lines that make no sense. `torn`: what follows
 * the last of them is the start of another, as after a write that was cut off. Not `tidy`: nothing may be added before
 * the file is written anew.
 */
function read (bytes, { id, first }) {
  const old = id === null
  const lines = bytes.toString('utf8').split('\n')
  const parts = lines.map(line => open(line, old))
  const tail = lines.pop()
  const found = {
    id: old ? OLD_ID.exec(lines[0])?.[1] ?? null : id,
    acked: 0,
    events: [],
    unreadable: parts.slice(0, -1).filter(values => values.length === 0).length,
    torn: tail !== '' && parts.at(-1).length === 0,
    tidy: !old && tail === '' && parts.slice(0, -1).every(values => values.length === 1)
  }
  const numbers = parts.flat().map(({ seq }) => seq).filter(Boolean)
  let last = first - 1
  let at = 0 // place in `numbers` of the one behind
  let missing = 0 // lines since the last event that made no sense
  for (const values of parts) {
    if (values.length === 0) missing++
    for (const { text, sealed, spool, seq, acked } of values) {
      if (sealed && spool) found.id = spool
      if (acked && (sealed || acked <= last)) found.acked = Math.max(found.acked, acked)
      if (!seq) continue
      at++
      if (sealed) {
        if (seq <= last) found.tidy = false
        found.events.push({ seq, text })
        last = Math.max(last, seq)
      // Without a checksum, a number is believed if it goes with the ones before or behind it.
      } else if (seq > last && (seq <= last + 1 + missing || numbers[at] === seq + 1)) {
        found.events.push({ seq, text })
        last = seq
        missing = 0
      } else {
        found.unreadable++
        missing++
      }
    }
  }
  found.events = inOrder(found.events)
  return found
}

/** The events by their numbers, each once. */
function inOrder (events) {
  const sorted = [...events].sort((a, b) => a.seq - b.seq)
  return sorted.filter(({ seq }, i) => seq !== sorted[i - 1]?.seq)
}

/** {text, sealed, seq, acked, spool} of what is in a line: nothing if it makes no sense, many if line ends were damaged. */
function open (line, old) {
  const value = old ? parseOld(line) : unseal(line)
  if (value) return [value]
  const starts = [...line.matchAll(SEAL_START)].map(({ index }) => index)
  const parts = starts.map((start, i) => line.slice(start, starts[i + 1]))
  return parts.map(part => unseal(part.slice(0, part.lastIndexOf('}') + 1))).filter(Boolean)
}

function unseal (line) {
  const [, sum, text] = SEAL.exec(line) ?? []
  return text && checksum(text) === sum ? { ...JSON.parse(text), text, sealed: true } : null
}

function parseOld (line) {
  try {
    const { seq, acked } = JSON.parse(line)
    return { seq: whole(seq), acked: whole(acked), text: line, sealed: false }
  } catch {
    return null
  }
}

function whole (number) {
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}

module.exports = { nameOf, parseName, header, mark, seal, read, inOrder }
