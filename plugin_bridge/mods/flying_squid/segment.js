'use strict'
// One file of the spool: a header line, then events and marks, one JSON value a line.
//
//   {"spool":"Zk3vQ9x2LmT0","first":41,"acked":40}     header: the spool id, number of the first event here
//   {"type":"kill","seq":41,…}                         an event, just as it is sent
//   {"acked":41}                                       a mark: the daemon has stored everything up to 41
//
// The name, events-<generation>-<first>.jsonl, puts the files in order. A generation is one spool id.

const NAME = /^events-(\d+)-(\d+)\.jsonl$/
const NEWLINE = 10

function nameOf (generation, first) {
  return `events-${generation}-${String(first).padStart(12, '0')}.jsonl`
}

/** {name, generation, first} of a file of the spool, null for any other file. */
function parseName (name) {
  const match = NAME.exec(name)
  return match && { name, generation: Number(match[1]), first: Number(match[2]) }
}

function header ({ id, first, acked }) {
  return JSON.stringify({ spool: id, first, acked }) + '\n'
}

function mark (acked) {
  return JSON.stringify({ acked }) + '\n'
}

/**
 * What a file holds: {id, first, acked, lines, good, torn, damaged}.
 * `lines` are the texts of the events `first`, `first` + 1, …; `good` is how many bytes make sense. `torn` says that
 * what follows them is the end of a write that was cut off; `damaged`, that there are whole events behind nonsense.
 * null when there is not even a whole header: the file was being made.
 */
function read (bytes) {
  const texts = bytes.toString('utf8', 0, bytes.lastIndexOf(NEWLINE) + 1).split('\n').slice(0, -1)
  if (texts.length === 0) return null
  const head = parse(texts[0])
  const sound = typeof head?.spool === 'string' && Number.isSafeInteger(head.first) && head.first > 0
  const found = { id: sound ? head.spool : null, first: sound ? head.first : 1, acked: 0, lines: [], good: 0, torn: false, damaged: false }
  if (sound && Number.isSafeInteger(head.acked)) found.acked = head.acked
  let makesSense = sound
  const strays = []
  for (const [i, text] of texts.entries()) {
    const value = i > 0 && parse(text)
    const isNext = value?.seq === found.first + found.lines.length
    const isMark = Number.isSafeInteger(value?.acked)
    makesSense &&= i === 0 || isNext || isMark
    if (makesSense) found.good += Buffer.byteLength(text) + 1
    if (makesSense && isNext) found.lines.push(text)
    else if (makesSense && isMark) found.acked = Math.max(found.acked, value.acked)
    else if (value?.seq) strays.push(text)
  }
  found.lines.push(...strays)
  found.damaged = !sound || strays.length > 0
  found.torn = !found.damaged && found.good < bytes.length
  return found
}

function parse (text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

module.exports = { nameOf, parseName, header, mark, read }
