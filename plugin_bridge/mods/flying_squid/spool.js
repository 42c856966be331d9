'use strict'
// Events wait here, on disk, until the daemon has stored them.
//
// `append` hands an event to the operating system at once, so a server that is killed the next moment keeps it; that
// costs the game some microseconds. Forcing it to the disk, which takes milliseconds, happens off the main thread for
// all events that came meanwhile, and only then may they be sent. The main thread waits for the disk once in
// thousands of events, when a file is full.

const crypto = require('crypto')
const fs = require('fs')
const path = require('path')
const segment = require('./segment')
const { Journal } = require('./journal')
const { recover, retire } = require('./recovery')

const DEFAULT_LIMIT = 64 << 20
const FILES = 64 // how many files a full spool has
const SMALLEST_FILE = 1024
const RETRY_MS = 1000
const SAY_AGAIN_MS = 60000

class Spool {
  #journal
  #lines // the texts of the events first, first + 1, …, last; null where a damaged file lost one
  #bytes // their size
  #written // number of the last event that the operating system has
  #noted // what the files say the daemon has stored
  #loaded // highest number that the files held at the start
  #greeted = false // has the daemon said what it has stored?
  #retry = null
  #closed = false
  #said = new Map()
  #log

  /**
   * `limit`: about how many bytes of events to keep. `log.error` takes a line.
   * `onSynced` is called, without arguments, whenever more events may be sent.
   * Throws what the file system throws when the folder cannot be used.
   */
  constructor ({ folder, limit = DEFAULT_LIMIT, log, onSynced = () => {} }) {
    folder = path.resolve(folder)
    fs.mkdirSync(folder, { recursive: true })
    const found = recover(folder)
    const segmentBytes = Math.max(SMALLEST_FILE, Math.floor(limit / FILES))
    this.limit = limit
    this.onSynced = onSynced
    this.#log = log
    this.#journal = new Journal({ folder, segmentBytes, generation: found.generation, files: found.files })
    if (found.files.length > 0) this.#take(found)
    else if (found.id !== null) this.#restart(found)
    else this.#restart(anew(found.lines))
    this.#loaded = this.last
    retire(found, log)
  }

  #restart (spool) {
    this.#journal.restart(spool)
    this.#take(spool)
  }

  #take ({ id, first, acked, lines }) {
    this.id = id
    this.first = first // lowest number that can still be delivered
    this.acked = acked // highest number that the daemon has stored
    this.last = first + lines.length - 1 // highest number given out
    this.synced = this.last // highest number that is on the disk for good
    this.#lines = lines
    this.#bytes = sizeOf(lines)
    this.#written = this.last
    this.#noted = acked
  }

  /** Takes an event, gives it the next number and returns that. */
  append (event) {
    const line = numbered(event, ++this.last)
    this.#lines.push(line)
    this.#bytes += line.length
    this.#write()
    if (this.#bytes > this.limit) this.#dropOldest()
    return this.last
  }

  /**
   * The texts of events from number `from` on that may be sent: up to `most` of them, of about `bytes` bytes, and none
   * behind one that is lost. When all before that are stored, `first` is behind it.
   */
  read (from, most, bytes) {
    if (from < this.first) return []
    const start = from - this.first
    const end = Math.min(start + most, this.synced - this.first + 1)
    const out = []
    for (let i = start; i < end && bytes > 0 && this.#lines[i]; i++) {
      out.push(this.#lines[i])
      bytes -= this.#lines[i].length
    }
    return out
  }

  /** The daemon has stored everything up to `seq`. */
  ack (seq) {
    seq = Math.min(seq, this.last)
    if (seq <= this.acked) return
    this.acked = seq
    this.#forget(seq)
    if (this.acked === this.last && this.#journal.bytes > this.#journal.segmentBytes / 4) this.#rotate()
    this.#journal.cut(this.first)
  }

  /**
   * A connection begins, and the daemon has stored everything up to `seq`. False if that is more than it can have from
   * here: the folder is an older copy, or the end of its last file is lost. Then all that it held is stored, and what
   * came since the start goes on under a new id.
   */
  welcome (seq) {
    if (seq > (this.#greeted ? this.last : this.#loaded)) {
      this.renew()
      return false
    }
    this.#greeted = true
    this.ack(seq)
    return true
  }

  /** A new spool id; what came since the start gets the numbers 1, 2, 3, … Rare, so it takes the time it takes. */
  renew () {
    this.#restart(anew(this.#lines.slice(Math.max(0, this.#loaded + 1 - this.first))))
    this.#loaded = 0
  }

  /** Everything to the disk, and no more. */
  close () {
    if (this.#closed) return
    this.#write()
    this.#closed = true
    clearTimeout(this.#retry)
    try {
      if (this.acked > this.#noted) this.#journal.append(segment.mark(this.acked), this.#written)
      this.#journal.close()
    } catch (error) {
      this.#log.error(`the spool could not be closed cleanly: ${error.message}`)
    }
  }

  #write () {
    if (this.#closed || this.#written === this.last) return
    // Events that were thrown away before they could be written leave a hole; behind it a new file begins.
    if (this.#written < this.first - 1 && !this.#rotate(this.first)) return this.#again()
    const lines = this.#lines.slice(this.#written + 1 - this.first)
    const mark = this.acked > this.#noted ? segment.mark(this.acked) : ''
    try {
      this.#journal.append(mark + lines.map(segment.seal).join(''), this.last)
    } catch (error) {
      this.#say('write', `events cannot be written to the disk: ${error.message}. They wait in memory and are not sent.`)
      return this.#again()
    }
    this.#noted = this.acked
    this.#written = this.last
    if (this.#journal.bytes > this.#journal.segmentBytes) this.#rotate()
    this.#sync()
  }

  #rotate (first = this.#written + 1) {
    try {
      this.#journal.rotate({ id: this.id, first, acked: this.acked })
    } catch (error) {
      this.#say('rotate', `no new file can be made for events: ${error.message}`)
      return false
    }
    this.#written = first - 1
    this.#noted = this.acked
    return true
  }

  #sync () {
    if (this.#closed || this.synced === this.#written) return
    const { id } = this
    const upTo = this.#written
    this.#journal.sync(error => {
      if (this.#closed) return
      if (error) {
        this.#say('sync', `events cannot be forced to the disk: ${error.message}. They are not sent.`)
        return this.#again()
      }
      if (id === this.id) this.synced = upTo
      this.#sync()
      this.onSynced()
    })
  }

  #again () {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => { this.#write(); this.#sync() }, RETRY_MS).unref()
  }

  #dropOldest () {
    let until = this.first - 1
    let spare = this.#bytes - this.limit + this.#journal.segmentBytes
    for (let i = 0; spare > 0 && i < this.#lines.length - 1; i++) {
      spare -= this.#lines[i]?.length ?? 0
      until++
    }
    this.#forget(until)
    this.#journal.cut(this.first)
    this.#say('full', `the spool is full: the oldest events, up to number ${until}, were thrown away and will never be rated. ` +
      'Is the daemon running?')
  }

  #forget (until) {
    let count = Math.min(until - this.first + 1, this.#lines.length)
    if (count <= 0) return
    while (this.#lines[count] === null) count++
    this.#bytes -= sizeOf(this.#lines.splice(0, count))
    this.first += count
  }

  #say (about, line) {
    if (Date.now() - (this.#said.get(about) ?? -Infinity) < SAY_AGAIN_MS) return
    this.#said.set(about, Date.now())
    this.#log.error(line)
  }
}

function numbered ({ type, seq: old, ...rest }, seq) {
  return JSON.stringify({ type, seq, ...rest })
}

function sizeOf (lines) {
  return lines.reduce((sum, line) => sum + (line?.length ?? 0), 0)
}

/** A spool of its own for these lines. */
function anew (lines) {
  const id = crypto.randomBytes(12).toString('base64url')
  return { id, first: 1, acked: 0, lines: lines.filter(Boolean).map((line, i) => numbered(JSON.parse(line), i + 1)) }
}

module.exports = { Spool, DEFAULT_LIMIT }
