'use strict'
// The files of a spool as a thing that grows at one end and is cut off, file by file, at the other.
// Numbers and meaning are the spool's; this knows about bytes, descriptors and the disk.

const fs = require('fs')
const path = require('path')
const segment = require('./segment')

class Journal {
  #files // of this generation, oldest first: {path, last, bytes}; the last one is open
  #generation
  #fd = null
  #folderFd = null
  #syncing = false
  #retired = [] // descriptors to close as soon as no sync uses them

  /** Goes on with `files` of `generation`. With no files, `restart` must come before anything else. */
  constructor ({ folder, segmentBytes, generation, files }) {
    this.folder = folder
    this.segmentBytes = segmentBytes
    this.#generation = generation
    this.#files = files
    try { // some systems cannot open or sync a folder; there a new name is as safe as the system makes it
      this.#folderFd = fs.openSync(folder, 'r')
    } catch {}
    if (files.length === 0) return
    this.#fd = fs.openSync(files.at(-1).path, 'a')
    fs.fsyncSync(this.#fd) // after a kill -9 the last lines may be in memory only
  }

  /** Size of the open file. */
  get bytes () {
    return this.#files.at(-1).bytes
  }

  /** Hands `text`, the lines up to event `last`, to the system. Throws, and leaves the file as it was, if it cannot. */
  append (text, last) {
    const file = this.#files.at(-1)
    const bytes = Buffer.from(text)
    try {
      writeAll(this.#fd, bytes)
    } catch (error) {
      try {
        fs.ftruncateSync(this.#fd, file.bytes) // no half line may stay in front of what comes next
      } catch {}
      throw error
    }
    file.bytes += bytes.length
    file.last = last
  }

  /** Waits for the disk, then goes on in a new file that begins with event `first`. */
  rotate ({ id, first, acked }) {
    const name = path.join(this.folder, segment.nameOf(this.#generation, first, id))
    fs.fdatasyncSync(this.#fd)
    const bytes = Buffer.from(segment.header({ id, acked }))
    const fd = create(name, bytes)
    this.#retire()
    this.#fd = fd
    this.#files.push({ path: name, last: first - 1, bytes: bytes.length })
    this.#syncFolder()
  }

  /** Deletes the files in which every event is below `first`. */
  cut (first) {
    while (this.#files.length > 1 && this.#files[0].last < first) {
      fs.rmSync(this.#files.shift().path, { force: true })
    }
  }

  /** A new generation, which holds `lines` (events first, first + 1, …; null: lost) and replaces everything before it. */
  restart ({ id, first, acked, lines }) {
    const old = this.#files
    const name = path.join(this.folder, segment.nameOf(++this.#generation, first, id))
    const bytes = Buffer.from(segment.header({ id, acked }) + lines.filter(Boolean).map(segment.seal).join(''))
    // Whole under its name, or not there at all: a crash leaves the old generation or the new one.
    const fd = create(name + '.new', bytes)
    fs.fsyncSync(fd)
    fs.renameSync(name + '.new', name)
    this.#retire()
    this.#fd = fd
    this.#files = [{ path: name, last: first + lines.length - 1, bytes: bytes.length }]
    this.#syncFolder()
    for (const file of old) fs.rmSync(file.path, { force: true })
  }

  /** Forces what was appended to the disk, off the main thread. False if that is under way already. */
  sync (done) {
    if (this.#syncing) return false
    this.#syncing = true
    fs.fdatasync(this.#fd, error => {
      this.#syncing = false
      for (const fd of this.#retired.splice(0)) fs.closeSync(fd)
      done(error)
    })
    return true
  }

  close () {
    try {
      fs.fdatasyncSync(this.#fd)
    } finally {
      this.#retire()
      if (this.#folderFd !== null) fs.closeSync(this.#folderFd)
    }
  }

  #retire () {
    if (this.#fd === null) return
    if (this.#syncing) this.#retired.push(this.#fd)
    else fs.closeSync(this.#fd)
    this.#fd = null
  }

  #syncFolder () {
    try {
      if (this.#folderFd !== null) fs.fsyncSync(this.#folderFd)
    } catch {}
  }
}

/** A descriptor that writes at the end of a file which holds just `bytes`. */
function create (name, bytes) {
  fs.rmSync(name, { force: true })
  const fd = fs.openSync(name, 'a')
  try {
    writeAll(fd, bytes)
  } catch (error) {
    fs.closeSync(fd)
    throw error
  }
  return fd
}

/** One write may take less than all it is given. */
function writeAll (fd, bytes) {
  for (let done = 0; done < bytes.length;) done += fs.writeSync(fd, bytes, done)
}

module.exports = { Journal }
