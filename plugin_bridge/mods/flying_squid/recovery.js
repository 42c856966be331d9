'use strict'
// What a server that stopped, or was stopped at any moment, left in the folder of the spool.

const fs = require('fs')
const path = require('path')
const segment = require('./segment')

/**
 * Reads the folder: {generation, id, first, acked, lines, files, replaced, damage}.
 * `lines` are the events first, first + 1, … that the daemon is not known to have; null stands for one that is lost.
 * `files` can be written on; if there are none, new ones have to take the place of the `replaced`, see `retire`.
 * No `id`: there is no spool yet, or nobody can tell any more what it was called, and then its numbers mean nothing.
 * `damage`: what is wrong, null if all is well or only the last write was cut off.
 */
function recover (folder) {
  const files = currentFiles(folder)
  const generation = files[0]?.generation ?? 0
  const all = files.map(file => readFile(folder, file))
  const id = all.findLast(part => part.id)?.id ?? null
  const parts = all.filter(part => part.id === id || part.id === null)

  const acked = Math.max(0, ...parts.map(part => part.acked))
  let last = Math.max(acked, ...parts.map(part => part.first - 1))
  const written = parts.flatMap(part => part.events)
  const ordered = written.every(({ seq }, i) => i === 0 || seq > written[i - 1].seq)
  const events = segment.inOrder(written).filter(({ seq }) => seq > acked)
  last = Math.max(last, events.at(-1)?.seq ?? 0)
  const first = events[0]?.seq ?? last + 1
  const lines = new Array(last - first + 1).fill(null)
  for (const { seq, text } of events) lines[seq - first] = text

  const damage = describe(all, parts, id)
  const sound = !damage && ordered && all.every(part => part.tidy)
  return {
    generation,
    id,
    first,
    acked,
    lines,
    files: sound ? all.map(part => ({ path: part.path, last: part.events.at(-1)?.seq ?? part.first - 1, bytes: part.bytes })) : [],
    replaced: sound ? [] : all.map(part => part.path),
    damage
  }
}

/** The files of the newest generation in order. Those of older ones were being replaced by it and are deleted. */
function currentFiles (folder) {
  const names = fs.readdirSync(folder)
  const files = names.map(segment.parseName).filter(Boolean)
  const newest = Math.max(...files.map(file => file.generation))
  const stale = files.filter(file => file.generation < newest).map(file => file.name)
  const unfinished = names.filter(name => /^events-.*\.new$/.test(name))
  for (const name of [...stale, ...unfinished]) fs.rmSync(path.join(folder, name))
  return files.filter(file => file.generation === newest).sort((a, b) => a.first - b.first)
}

function readFile (folder, file) {
  const bytes = fs.readFileSync(path.join(folder, file.name))
  return { path: path.join(folder, file.name), first: file.first, bytes: bytes.length, ...segment.read(bytes, file) }
}

function describe (all, parts, id) {
  const unreadable = all.reduce((sum, part) => sum + part.unreadable + (part.torn && part !== all.at(-1) ? 1 : 0), 0)
  if (unreadable > 0) return `${unreadable} of its lines cannot be read`
  if (parts.length < all.length) return 'files of another spool are in its folder'
  return id === null && all.some(part => part.events.length > 0) ? 'its first line is missing' : null
}

/** New files have what could be read of the `replaced` ones: those go, or are kept under other names if damaged. */
function retire ({ replaced, damage, id, lines }, log) {
  if (!damage) return replaced.forEach(file => fs.rmSync(file))
  const aside = replaced.map(setAside)
  const count = lines.filter(Boolean).length
  log.error(`the spool is damaged: ${damage}. ${count} kills that the daemon may not have yet could be read, and are sent. ` +
    (id ? 'None is rated twice. ' : 'The daemon cannot know them any more, so some may be rated a second time. ') +
    `Check the disk. The damaged files are kept, and can be deleted: ${aside.join(', ')}`)
}

function setAside (file) {
  const name = `${file}.damaged-${Date.now()}`
  fs.renameSync(file, name)
  return path.basename(name)
}

module.exports = { recover, retire }
