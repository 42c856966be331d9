'use strict'
const assert = require('node:assert/strict')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { test } = require('node:test')
const packets = require('adr-bridge-flying-squid/packets.js')
const { Link } = require('adr-bridge-flying-squid/link.js')
const { Spool } = require('adr-bridge-flying-squid/spool.js')
const { until } = require('./children')
const { Daemon } = require('./daemon')

const [ann, bob] = ['ann', 'bob'].map(name => ({ id: name, name: name.toUpperCase() }))
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** The mod's link and spool and the real daemon, with no game between. */
async function setUp (t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adr-contract-'))
  const mods = []
  const daemon = await Daemon.start(folder)
  t.after(async () => {
    mods.forEach(mod => mod.stop())
    await daemon.stop('SIGKILL')
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const token = await daemon.token('arena')
  const home = path.join(folder, 'mod')

  /** A game server with the mod, so to speak. */
  function mod (options = {}) {
    const lines = []
    const to = level => line => lines.push(`${level}: ${line}`)
    const log = { info: to('info'), warn: to('warn'), error: to('error') }
    const spool = new Spool({ folder: options.folder ?? home, log, limit: options.limit })
    const hello = () => packets.hello({ modVersion: '0', spool: spool.id, first: spool.first, time: Date.now() / 1000, online: [] })
    const link = new Link({ url: daemon.url, token, spool, hello, receive: () => {}, log, pace: { first: 50, most: 500, slow: 500 }, ...options })
    const made = {
      spool,
      link,
      lines,
      kill: () => spool.append(packets.kill({ time: Date.now() / 1000, killer: ann, victim: bob, cause: 'attack' })),
      stop: () => { link.stop(); spool.close() }
    }
    mods.push(made)
    return made
  }
  return { daemon, home, mod }
}

test('two thousand kills of a long outage arrive once and in order', async t => {
  const { daemon, mod } = await setUp(t)
  const { spool, link, kill } = mod()
  for (let n = 0; n < 2000; n++) kill()
  link.start()
  await until(() => spool.acked === 2000, () => `${spool.acked} of 2000 are stored`, 60000)
  assert.deepEqual((await daemon.kills()).map(({ seq }) => seq), range(1, 2000))
})

test('a deleted folder starts a new numbering and nothing is mistaken for old news', async t => {
  const { daemon, home, mod } = await setUp(t)
  const before = mod()
  before.link.start()
  range(1, 3).forEach(before.kill)
  await until(() => before.spool.acked === 3, 'three are stored')
  before.stop()
  fs.rmSync(home, { recursive: true })
  const after = mod()
  after.link.start()
  range(1, 2).forEach(after.kill)
  await until(() => after.spool.acked === 2, 'two more are stored')
  assert.deepEqual((await daemon.kills()).map(({ seq, spool }) => [spool, seq]),
    [...range(1, 3).map(seq => [before.spool.id, seq]), ...range(1, 2).map(seq => [after.spool.id, seq])])
})

test('a folder restored from an older copy loses none of the kills that came after', async t => {
  const { daemon, home, mod } = await setUp(t)
  const before = mod()
  before.link.start()
  before.kill()
  await until(() => before.spool.acked === 1, 'one is stored')
  before.stop()
  fs.cpSync(home, home + '-copy', { recursive: true })
  const middle = mod()
  middle.link.start()
  range(1, 5).forEach(middle.kill)
  await until(() => middle.spool.acked === 6, 'five more are stored')
  middle.stop()
  fs.rmSync(home, { recursive: true })
  fs.renameSync(home + '-copy', home)
  const after = mod()
  range(1, 2).forEach(after.kill)
  after.link.start()
  await until(() => after.link.up && after.spool.acked === 2 && after.spool.last === 2, 'two more are stored')
  assert.equal((await daemon.kills()).length, 8)
  assert.notEqual(after.spool.id, middle.spool.id)
})

test('what a full spool threw away is a hole that the daemon accepts', async t => {
  const { daemon, mod } = await setUp(t)
  const { spool, link, kill } = mod({ limit: 32 << 10 })
  range(1, 1000).forEach(kill)
  assert.ok(spool.first > 500)
  const { first } = spool
  link.start()
  await until(() => spool.acked === 1000, 'the rest is stored')
  assert.deepEqual((await daemon.kills()).map(({ seq }) => seq), range(first, 1000))
})

test('a server that was removed is told so, and is let in again with a new token', async t => {
  const { daemon, mod } = await setUp(t)
  const { spool, link, lines, kill, stop } = mod()
  link.start()
  await until(() => link.up, 'connected')
  await daemon.command('server', 'remove', 'arena')
  await until(() => lines.some(line => line.startsWith('error: the token was revoked')), () => `a clear line in ${lines}`, 30000)
  kill()
  await until(() => lines.some(line => line.startsWith('error: the daemon does not know this token')), () => `another one in ${lines}`)
  assert.equal(spool.acked, 0)
  stop()
  const again = mod({ token: await daemon.token('arena') })
  again.link.start()
  await until(() => again.spool.acked === 1, 'the kill is stored')
})

test('two servers that share a token are told so', async t => {
  const { home, mod } = await setUp(t)
  const one = mod()
  one.link.start()
  await until(() => one.link.up, 'connected')
  const two = mod({ folder: home + '-two' })
  two.link.start()
  await until(() => one.lines.concat(two.lines).some(line => line.startsWith('error: another server connected with the same token')), 'a clear line')
})
