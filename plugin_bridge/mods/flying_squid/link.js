'use strict'
// The WebSocket to the daemon: dials, says hello, sends what the spool holds, dials again.

const WebSocket = require('ws')
const { PROTOCOL, readFrame } = require('./packets')
const { PACE, verdict, nextPause } = require('./retry')

const MOST_FRAME_BYTES = 1 << 20 // both ways; PROTOCOL.md
const FRAME_EVENTS = 200
const FRAME_BYTES = 256 << 10
const MOST_BUFFERED = 1 << 20
const HANDSHAKE_MS = 10000
const SETTLED_MS = 10000

class Link {
  #socket = null
  #state = 'down' // down, greeting (hello sent), up
  #told = 1 // lowest number that can be delivered, as the hello said
  #sent = 0 // number of the last event sent on this connection
  #known = 0 // number of the last event that the daemon has stored
  #window = 1
  #frameEvents = FRAME_EVENTS
  #waiting = [] // packets for after the welcome
  #pause = 0
  #timers = new Set()
  #lastSaid = null
  #ending = false // this side wants the connection to end, to greet again
  #stopped = false

  /**
   * `hello()` gives the hello packet of this moment. `receive(packet)` gets what concerns the game.
   * `pace` and `random` are there for tests.
   */
  constructor ({ url, token, spool, hello, receive, log, pace = {}, random = Math.random }) {
    Object.assign(this, { url, token, spool, hello, receive, log, random })
    this.pace = { ...PACE, ...pace }
    spool.onSynced = () => this.#pump()
  }

  get up () {
    return this.#state === 'up'
  }

  start () {
    this.#stopped = false
    this.#dial()
  }

  stop () {
    this.#stopped = true
    this.#clearTimers()
    const socket = this.#socket
    this.#state = 'down'
    this.#socket = null
    socket?.close(1000)
    setTimeout(() => socket?.terminate(), 1000).unref()
  }

  /** Sends a packet that is not kept. Dropped while there is no connection: the next hello tells all that matters. */
  send (packet) {
    if (this.#state === 'up') this.#socket.send(JSON.stringify(packet))
    else if (this.#state === 'greeting') this.#waiting.push(packet)
    return this.#state !== 'down'
  }

  // ---- the connection

  #dial () {
    const socket = new WebSocket(this.url, {
      headers: { authorization: `Bearer ${this.token}` },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MOST_FRAME_BYTES,
      perMessageDeflate: false
    })
    this.#socket = socket
    let problem = null
    let status = 0
    let heard = Date.now()
    const ours = handler => (...args) => { if (this.#socket === socket) handler(...args) }
    const alive = () => { heard = Date.now() }

    socket.on('unexpected-response', ours((request, response) => {
      status = response.statusCode
      socket.terminate()
    }))
    socket.on('error', error => { problem = error })
    socket.on('close', ours((code) => this.#lost({ code, status, problem })))
    socket.on('open', ours(() => {
      alive()
      this.#state = 'greeting'
      const hello = this.hello()
      this.#told = hello.first
      socket.send(JSON.stringify(hello))
      this.#after(HANDSHAKE_MS, () => { if (this.#state === 'greeting') socket.terminate() })
      this.#every(this.pace.ping, () => {
        if (Date.now() - heard > this.pace.silence) socket.terminate()
        else socket.ping()
      })
    }))
    socket.on('ping', alive)
    socket.on('pong', alive)
    socket.on('message', ours((data, isBinary) => {
      alive()
      if (isBinary) return this.#complain('a binary frame')
      const { packets, faults } = readFrame(data.toString())
      faults.forEach(fault => this.#complain(fault))
      for (const packet of packets) if (this.#socket === socket) this.#handle(packet)
    }))
  }

  #lost ({ code, status, problem }) {
    this.#clearTimers()
    this.#socket = null
    this.#state = 'down'
    this.#waiting = []
    if (this.#stopped) return
    if (this.#ending) return this.#dialAgain(this.pace.first)
    if (code === 1009) this.#frameEvents = Math.max(1, this.#frameEvents >> 1)
    const { slow, level, line } = verdict({ url: this.url, code, status, problem })
    this.#say(level, line)
    this.#pause = nextPause(this.#pause, this.pace)
    this.#dialAgain(slow ? this.pace.slow : this.#pause)
  }

  /** After about `pause`: servers that lost the same daemon must not all come back in the same moment. */
  #dialAgain (pause) {
    this.#ending = false
    this.#after(pause * (0.75 + this.random() / 2), () => this.#dial())
  }

  #greetAgain () {
    const socket = this.#socket
    this.#ending = true
    this.#state = 'down'
    socket.close(1000)
    this.#after(2000, () => socket.terminate())
  }

  // ---- packets

  #handle (packet) {
    if (packet.type === 'welcome') return this.#welcome(packet)
    if (this.#state !== 'up') return
    if (packet.type === 'ack') return this.#ack(packet.seq)
    if (packet.type === 'error') this.log.warn(`the daemon reports: ${packet.text} (${packet.code})`)
    this.receive(packet)
  }

  #welcome ({ protocol, seq, window }) {
    if (this.#state !== 'greeting') return
    if (protocol !== PROTOCOL) {
      this.#complain(`protocol version ${protocol}`)
      return this.#socket.close(4002)
    }
    if (!this.spool.welcome(seq)) {
      this.log.warn('the daemon has more kills than the folder of this mod: it was restored from an older copy, or its end was ' +
        'damaged. Kills since the start of this server are sent under new numbers.')
      return this.#greetAgain()
    }
    this.#known = seq
    this.#sent = Math.max(seq, this.#told - 1)
    this.#window = window
    this.#state = 'up'
    this.#say('info', `connected to the daemon at ${this.url}`)
    this.#after(SETTLED_MS, () => { this.#pause = 0 })
    for (const packet of this.#waiting.splice(0)) this.send(packet)
    this.#pump()
  }

  #ack (seq) {
    seq = Math.min(seq, this.#sent)
    this.#known = Math.max(this.#known, seq)
    this.#pause = 0
    this.spool.ack(seq)
    this.#pump()
  }

  /** Sends events as far as the window allows. */
  #pump () {
    const socket = this.#socket
    while (this.#state === 'up' && socket.bufferedAmount < MOST_BUFFERED) {
      // Events this connection has yet to send were thrown away: only a new hello can say so.
      if (this.spool.first > this.#sent + 1) return this.#greetAgain()
      const room = this.#window - (this.#sent - Math.max(this.#known, this.spool.first - 1))
      const lines = this.spool.read(this.#sent + 1, Math.min(room, this.#frameEvents), FRAME_BYTES)
      if (lines.length === 0) return
      this.#sent += lines.length
      socket.send(lines.length === 1 ? lines[0] : `[${lines.join(',')}]`, () => this.#pump())
    }
  }

  // ---- lines in the log, timers

  /** What is the same as last time has been said already. */
  #say (level, line) {
    if (line !== this.#lastSaid) this.log[level](line)
    this.#lastSaid = line
  }

  #complain (what) {
    this.log.warn(`the daemon sent ${what}, which this mod does not understand`)
  }

  #after (ms, action) {
    const timer = setTimeout(() => { this.#timers.delete(timer); action() }, ms)
    this.#timers.add(timer.unref())
  }

  #every (ms, action) {
    this.#timers.add(setInterval(action, ms).unref())
  }

  #clearTimers () {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}

module.exports = { Link }
