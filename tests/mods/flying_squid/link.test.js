'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { mod, folder, memoryLog, until } = require('./mod')

const { WebSocketServer } = mod('ws')
const { Link } = mod('./link.js')
const { nextPause } = mod('./retry.js')
const { Spool } = mod('./spool.js')
const PACE = { first: 10, most: 80, slow: 60000, ping: 20000, silence: 50000 }

/** A peer that speaks the contract over a real socket and writes down what it hears. */
class Peer {
  hellos = []
  events = [] // numbers, as they arrive
  frames = []
  others = []
  stored = new Map() // spool id -> last number stored
  acking = true
  window = 1024
  status = null // refuse handshakes with this
  onHello = () => {}

  async listen (t, port = 0) {
    this.server = new WebSocketServer({
      host: '127.0.0.1',
      port,
      verifyClient: ({ req }, done) => {
        this.tries = (this.tries ?? 0) + 1
        const status = this.status ?? (req.headers.authorization === 'Bearer sesame' ? null : 401)
        done(status === null, status)
      }
    })
    this.server.on('connection', socket => {
      this.socket = socket
      socket.on('message', data => this.#read(socket, data.toString()))
    })
    await new Promise(resolve => this.server.once('listening', resolve))
    this.port = this.server.address().port
    t.after(() => this.close())
    return this
  }

  #read (socket, frame) {
    this.frames.push(frame)
    for (const packet of [JSON.parse(frame)].flat()) {
      if (packet.type === 'hello') {
        this.hellos.push(packet)
        if (this.onHello(packet, socket) === false) continue
        this.send({ type: 'welcome', protocol: 1, daemon_version: '0', server: 's', seq: this.stored.get(packet.spool) ?? 0, window: this.window })
      } else if (packet.seq) {
        this.events.push(packet.seq)
        if (this.acking) this.ack(packet.seq)
      } else this.others.push(packet)
    }
  }

  ack (seq) {
    this.stored.set(this.hellos.at(-1).spool, seq)
    this.send({ type: 'ack', seq })
  }

  send (packet) {
    this.socket.send(JSON.stringify(packet))
  }

  close () {
    for (const client of this.server.clients) client.terminate()
    return new Promise(resolve => this.server.close(resolve))
  }
}

function linkTo (t, port, { spool, pace, token = 'sesame', limit } = {}) {
  const log = memoryLog()
  const received = []
  spool ??= new Spool({ folder: folder(t), log, limit })
  const link = new Link({
    url: `ws://127.0.0.1:${port}/`,
    token,
    spool,
    log,
    pace: { ...PACE, ...pace },
    random: () => 0.5,
    receive: packet => received.push(packet),
    hello: () => ({ type: 'hello', spool: spool.id, first: spool.first, online: [] })
  })
  t.after(() => { link.stop(); spool.close() })
  const report = n => spool.append({ type: 'kill', time: n })
  return { link, spool, log, received, report }
}

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('hello comes first, the token travels in the header, and kills are acknowledged away', async t => {
  const peer = await new Peer().listen(t)
  const { link, spool, report } = linkTo(t, peer.port)
  report(1)
  link.start()
  await until(() => spool.acked === 1, 'the first kill is stored')
  report(2)
  await until(() => spool.acked === 2, 'the second too')
  assert.equal(JSON.parse(peer.frames[0]).type, 'hello')
  assert.ok(!peer.frames.join().includes('sesame'))
  assert.deepEqual(peer.events, [1, 2])
  assert.deepEqual(spool.read(1, 9, Infinity), [])
})

test('no more than the window is under way, and a backlog travels many to a frame', async t => {
  const peer = await new Peer().listen(t)
  peer.window = 50
  peer.acking = false
  const { link, spool, report } = linkTo(t, peer.port)
  for (let n = 1; n <= 130; n++) report(n)
  await until(() => spool.synced === 130, 'on the disk')
  link.start()
  await until(() => peer.events.length === 50, 'one window arrives')
  await new Promise(resolve => setTimeout(resolve, 50))
  assert.equal(peer.events.length, 50, 'and no more')
  assert.equal(peer.frames.length, 2, 'hello and one frame')
  peer.ack(20)
  await until(() => peer.events.length === 70, 'as many more as were stored')
  peer.acking = true
  peer.ack(70)
  await until(() => spool.acked === 130, 'all stored')
  assert.deepEqual(peer.events, range(1, 130))
})

test('after a lost connection exactly what is missing is sent again', async t => {
  const peer = await new Peer().listen(t)
  peer.acking = false
  const { link, spool, report } = linkTo(t, peer.port)
  link.start()
  for (let n = 1; n <= 10; n++) report(n)
  await until(() => peer.events.length === 10, 'ten arrive')
  peer.ack(4)
  await until(() => spool.acked === 4, 'four are known to be stored')
  peer.stored.set(spool.id, 7) // three acks got lost on the way
  peer.events.length = 0
  peer.acking = true
  peer.socket.terminate()
  report(11)
  await until(() => spool.acked === 11, 'all stored')
  assert.deepEqual(peer.events, range(8, 11))
})

test('a daemon that is restarted on the same port gets everything in order', async t => {
  const first = await new Peer().listen(t)
  const { link, spool, report } = linkTo(t, first.port)
  link.start()
  report(1)
  await until(() => spool.acked === 1, 'the first one')
  await first.close()
  for (let n = 2; n <= 6; n++) report(n)
  const second = await new Peer().listen(t, first.port)
  second.stored = first.stored
  await until(() => spool.acked === 6, 'the others')
  assert.deepEqual([...first.events, ...second.events], range(1, 6))
})

test('a wrong token gives one clear line without the token, and slow tries', async t => {
  const peer = await new Peer().listen(t)
  const { link, log, report } = linkTo(t, peer.port, { token: 'wrong', pace: { slow: 30 } })
  link.start()
  report(1)
  await until(() => peer.tries >= 4, 'it tries again')
  assert.equal(log.lines.length, 1, log.lines.join('\n'))
  assert.match(log.lines[0], /^error: the daemon does not know this token/)
  assert.ok(!log.lines[0].includes('wrong'))
})

for (const [what, refuse] of [
  ['401', peer => { peer.status = 401 }],
  ['429', peer => { peer.status = 429 }],
  ['close code 4000', peer => { peer.onHello = (_, socket) => socket.close(4000) }],
  ['close code 4001', peer => { peer.onHello = (_, socket) => socket.close(4001) }],
  ['close code 4002', peer => { peer.onHello = (_, socket) => socket.close(4002) }],
  ['close code 4003', peer => { peer.onHello = (_, socket) => socket.close(4003) }]
]) {
  test(`after ${what} it does not hurry`, async t => {
    const peer = await new Peer().listen(t)
    refuse(peer)
    const { link, log } = linkTo(t, peer.port)
    link.start()
    await until(() => log.lines.some(line => line.startsWith('error: ')), 'a clear line')
    await new Promise(resolve => setTimeout(resolve, 300))
    assert.equal(peer.tries, 1)
  })
}

test('a daemon that is busy or away is tried again at growing pauses, with one line in the log', async t => {
  const peer = await new Peer().listen(t)
  peer.status = 503
  const { link, log } = linkTo(t, peer.port)
  const start = Date.now()
  link.start()
  await until(() => peer.tries === 5, 'five tries')
  assert.ok(Date.now() - start >= 150, `10 + 20 + 40 + 80 ms, not ${Date.now() - start}`)
  assert.deepEqual(log.lines, [`warn: no connection to the daemon at ws://127.0.0.1:${peer.port}/ (it answered 503). Trying again; kills are kept until then.`])
  assert.deepEqual([0, 500, 1000, 20000, 30000].map(pause => nextPause(pause, { first: 500, most: 30000 })), [500, 1000, 2000, 30000, 30000])
})

test('a spool restored from an older copy starts a new numbering and loses nothing', async t => {
  const peer = await new Peer().listen(t)
  const { link, spool, report, log } = linkTo(t, peer.port)
  const old = spool.id
  peer.stored.set(old, 40)
  report(1)
  report(2)
  await until(() => spool.synced === 2, 'on the disk')
  link.start()
  await until(() => spool.acked === 2 && link.up, 'both stored')
  assert.notEqual(spool.id, old)
  assert.deepEqual(peer.hellos.map(hello => hello.spool), [old, spool.id])
  assert.deepEqual(peer.events, [1, 2])
  assert.equal(log.lines.filter(line => line.includes('restored from an older copy')).length, 1)
})

test('a hole is told in hello: what a full spool threw away is not sent, the rest is', async t => {
  const peer = await new Peer().listen(t)
  peer.acking = false
  peer.window = 5
  const { link, spool, report } = linkTo(t, peer.port, { limit: 16 << 10 })
  link.start()
  report(1)
  await until(() => peer.events.length === 1, 'the first arrives and is not stored')
  for (let n = 2; n <= 1000; n++) report(n)
  await until(() => spool.synced === 1000, 'on the disk')
  peer.acking = true
  peer.onHello = hello => peer.stored.set(hello.spool, hello.first - 1)
  peer.send({ type: 'ack', seq: 5 })
  await until(() => spool.acked === 1000, 'the rest is stored')
  const { first } = peer.hellos.at(-1)
  assert.ok(first > 500)
  assert.deepEqual(peer.events.slice(-1001 + first), range(first, 1000))
})

test('a daemon restored from a backup is told what can no longer be delivered', async t => {
  const peer = await new Peer().listen(t)
  const { link, spool, report } = linkTo(t, peer.port)
  link.start()
  for (let n = 1; n <= 5; n++) report(n)
  await until(() => spool.acked === 5, 'stored')
  peer.stored.set(spool.id, 2)
  peer.socket.terminate()
  await until(() => peer.hellos.length === 2 && link.up, 'connected again')
  report(6)
  await until(() => spool.acked === 6, 'stored')
  assert.equal(peer.hellos[1].first, 6)
  assert.deepEqual(peer.events, range(1, 6))
})

test('packets that are not kept wait for the welcome and are dropped without a connection', async t => {
  const peer = await new Peer().listen(t)
  let welcome = null
  peer.onHello = () => { welcome ??= () => peer.send({ type: 'welcome', protocol: 1, seq: 0, window: 9 }); return false }
  const { link } = linkTo(t, peer.port)
  assert.equal(link.send({ type: 'quit', player: 'early' }), false)
  link.start()
  await until(() => welcome, 'hello')
  assert.equal(link.send({ type: 'quit', player: 'a' }), true)
  assert.deepEqual(peer.others, [])
  welcome()
  await until(() => peer.others.length === 1, 'sent after the welcome')
  assert.deepEqual(peer.others, [{ type: 'quit', player: 'a' }])
})

test('a daemon that does not answer hello, or falls silent, is given up', async t => {
  const peer = await new Peer().listen(t)
  const { link } = linkTo(t, peer.port, { pace: { ping: 20, silence: 60 } })
  link.start()
  await until(() => link.up, 'connected')
  peer.socket._socket.pause() // neither frames nor pongs come from it any more
  await until(() => peer.hellos.length === 2, 'a new connection')
})

test('nonsense from the daemon is logged and hurts nothing', async t => {
  const peer = await new Peer().listen(t)
  const { link, spool, received, log, report } = linkTo(t, peer.port)
  link.start()
  await until(() => link.up, 'connected')
  peer.socket.send('what')
  peer.socket.send(Buffer.from([1, 2]))
  peer.send({ type: 'ack', seq: 'all' })
  peer.send({ type: 'ack', seq: 4000000 })
  peer.send([{ type: 'sparkle' }, { type: 'reply', id: 'c1', lines: [{ text: 'x' }] }])
  await until(() => received.length === 1, 'what makes sense arrives')
  assert.equal(log.lines.filter(line => line.startsWith('warn: the daemon sent')).length, 3, log.lines.join('\n'))
  report(1)
  await until(() => spool.acked === 1, 'and the link works')
})

test('a frame that is too large for the daemon is sent in smaller parts', async t => {
  const peer = await new Peer().listen(t)
  const { link, spool, report } = linkTo(t, peer.port)
  for (let n = 1; n <= 100; n++) report(n)
  await until(() => spool.synced === 100, 'on the disk')
  let refused = 0
  peer.onHello = (_, socket) => { if (refused++ < 2) socket.close(1009); return refused > 2 }
  link.start()
  await until(() => spool.acked === 100, 'all stored')
  assert.deepEqual(peer.frames.slice(-2).map(frame => JSON.parse(frame).length), [50, 50])
})

test('a link that was stopped does not come back', async t => {
  const peer = await new Peer().listen(t)
  const { link } = linkTo(t, peer.port)
  link.start()
  await until(() => link.up, 'connected')
  link.stop()
  await until(() => peer.server.clients.size === 0, 'closed')
  await new Promise(resolve => setTimeout(resolve, 100))
  assert.equal(peer.tries, 1)
})
