'use strict'
// What a server that stopped, or was stopped at any moment, left in the folder of the spool.

const fs = require('fs')
const path = require('path')
const segment = require('./segment')

/**
 * Reads the folder: {generation, id, first, acked, lines, files, damaged}.
 * `lines` are the events first, first + 1, … that the daemon is not known to have. `files` can be written on.
 * No `id`: there is no spool yet. `damaged`: the events are all that could be read and their numbers mean nothing
 * any more, so they belong into a new generation; the files they come from were set aside.
 */
function recover (folder, log) {
  const files = currentFiles(folder)
  const generation = files[0]?.generation ?? 0
  const found = files.map(file => readFile(path.join(folder, file.name)))
  // The newest file without a header was being made when the server stopped; nothing is in it yet.
  if (found.length > 0 && found.at(-1).part === null) fs.rmSync(found.pop().path)
  if (found.length === 0) return { generation, id: null, first: 1, acked: 0, lines: [], files: [], damaged: false }

  if (!found.every(fitsBehind)) {
    const acked = Math.max(...found.map(({ part }) => part?.acked ?? 0))
    const lines = found.flatMap(({ part }) => part?.lines ?? []).filter(line => JSON.parse(line).seq > acked)
    const aside = found.map(({ path }) => setAside(path))
    log.error(`the spool is damaged. ${lines.length} events could be read and will be sent again; ` +
      `those the daemon has already do no harm. The damaged files are kept: ${aside.join(', ')}`)
    return { generation, id: null, first: 1, acked: 0, lines, files: [], damaged: true }
  }
  const { id, first } = found[0].part
  const lines = found.flatMap(({ part }) => part.lines)
  const acked = Math.min(Math.max(first - 1, ...found.map(({ part }) => part.acked)), first + lines.length - 1)
  return {
    generation,
    id,
    first: acked + 1,
    acked,
    lines: lines.slice(acked + 1 - first),
    files: found.map(({ path, part }) => ({ path, last: part.first + part.lines.length - 1, bytes: part.good })),
    damaged: false
  }
}

/** The files of the newest generation in order. Those of older ones were being replaced by it and are deleted. */
function currentFiles (folder) {
  const names = fs.readdirSync(folder)
  const files = names.map(segment.parseName).filter(Boolean)
  const newest = Math.max(...files.map(file => file.generation))
  const stale = files.filter(file => file.generation < newest).map(file => file.name)
  const unfinished = names.filter(name => /^events-.*\.jsonl\.new$/.test(name))
  for (const name of [...stale, ...unfinished]) fs.rmSync(path.join(folder, name))
  return files.filter(file => file.generation === newest).sort((a, b) => a.first - b.first)
}

function readFile (file) {
  return { path: file, part: segment.read(fs.readFileSync(file)) }
}

/** Is this file sound, and does it begin where the one before it ends? */
function fitsBehind ({ part }, index, all) {
  if (part === null || part.damaged) return false
  if (index < all.length - 1 && part.torn) return false
  const before = all[index - 1]?.part
  return !before || (before.id === part.id && before.first + before.lines.length === part.first)
}

function setAside (file) {
  const name = `${file}.damaged-${Date.now()}`
  fs.renameSync(file, name)
  return path.basename(name)
}

module.exports = { recover }
