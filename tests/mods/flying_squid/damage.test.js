'use strict'
// A disk that damages the spool, with the real daemon behind it: nothing stored is rated a second time, and nothing
// that can still be read is lost.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { mod, folder, memoryLog, until } = require('./mod')
const { Daemon } = require('../../e2e/daemon')

const packets = mod('./packets.js')
const { Link } = mod('./link.js')
const { Spool } = mod('./spool.js')

const STORED = ['a1', 'a2', 'a3', 'a4']
const KEPT = ['b1', 'b2', 'b3']
const LATER = 'c1'
const PLAYERS = [{ id: 'ann', name: 'Änn 🦊' }, { id: 'bob', name: 'Bob' }]
const PACE = { first: 5, most: 20 }

/** The mod without its game: a spool and a link. The weapon names the kill. */
function open (dir, { url, token }) {
  const log = memoryLog()
  const spool = new Spool({ folder: dir, log })
  const link = new Link({
    url,
    token,
    spool,
    log,
    pace: PACE,
    receive () {},
    hello: () => packets.hello({ platformVersion: null, modVersion: '0', spool: spool.id, first: spool.first, time: Date.now() / 1000, online: [] })
  })
  return {
    kill: weapon => spool.append(packets.kill({ killer: PLAYERS[0], victim: PLAYERS[1], cause: 'attack', weapon, world: 'overworld', time: Date.now() / 1000 })),
    async deliver () {
      link.start()
      await until(() => link.up && spool.acked === spool.last, () => `all is stored: ${log.lines}`)
    },
    close () {
      link.stop()
      spool.close()
    }
  }
}

const onlyFile = dir => path.join(dir, fs.readdirSync(dir).find(name => name.endsWith('.spool')))

/** Kills that are stored, and others that wait; then `harm` to the file, and a new start with one kill more. */
async function live (t, dir, peer, mark, harm) {
  const before = open(dir, peer)
  t.after(() => before.close())
  STORED.forEach(name => before.kill(mark + name))
  await before.deliver()
  before.close()
  const between = open(dir, peer)
  KEPT.forEach(name => between.kill(mark + name))
  between.close()
  const bytes = fs.readFileSync(onlyFile(dir))
  fs.writeFileSync(onlyFile(dir), harm(bytes))
  const after = open(dir, peer)
  t.after(() => after.close())
  after.kill(mark + LATER)
  await after.deliver()
  after.close()
}

/** The weapons of kills whose line is as it was written. Those that were never touched, and the last without its end. */
function readable (before, after, mark) {
  const lines = after.toString().split('\n')
  const whole = before.toString().split('\n').filter(line => line && lines.some(text => text.includes(line)))
  return KEPT.map(name => mark + name).filter(name => whole.some(line => line.includes(`"${name}"`)))
}

async function rated (daemon) {
  const byMark = new Map()
  for (const { weapon, reason } of await daemon.kills()) {
    assert.equal(reason, null)
    const [mark] = /^\d+/.exec(weapon)
    byMark.set(mark, [...(byMark.get(mark) ?? []), weapon])
  }
  return byMark
}

test('after any damage nothing stored is rated twice and nothing readable is lost', { timeout: 120000 }, async t => {
  const parent = folder(t)
  const home = path.join(parent, 'daemon')
  fs.mkdirSync(home)
  const daemon = await Daemon.start(home)
  t.after(() => daemon.stop())
  const peer = { url: daemon.url, token: await daemon.token('arena') }

  const length = 7 * 290 // of the file, about
  const harms = []
  for (let place = 0; place < length; place += 37) {
    const bit = 1 << (place % 8)
    harms.push([`bit ${place % 8} of byte ${place} flipped`, bytes => flip(bytes, place % bytes.length, bit)])
  }
  for (let line = 0; line < 9; line++) harms.push([`end of line ${line} flipped`, bytes => flip(bytes, endOf(bytes, line), 0x20)])
  for (const cut of [1, 2, 50, 300, 700, 1200, 1500, 5000]) harms.push([`cut by ${cut}`, bytes => bytes.subarray(0, Math.max(0, bytes.length - cut))])
  harms.push(['first line missing', bytes => bytes.subarray(endOf(bytes, 0) + 1)])
  harms.push(['500 zeros in the middle', bytes => Buffer.concat([bytes.subarray(0, 600), Buffer.alloc(500), bytes.subarray(1100)])])
  harms.push(['zeros behind', bytes => Buffer.concat([bytes, Buffer.alloc(700)])])
  harms.push(['nothing left', () => Buffer.alloc(0)])

  const expected = new Map()
  for (const [n, [, harm]] of harms.entries()) {
    const dir = path.join(parent, String(n))
    await live(t, dir, peer, String(n), bytes => {
      const after = harm(bytes)
      expected.set(String(n), [...STORED.map(name => n + name), ...readable(bytes, after, n), n + LATER])
      return after
    })
  }
  const found = await rated(daemon)
  for (const [n, [what]] of harms.entries()) assert.deepEqual(found.get(String(n)), expected.get(String(n)), what)
  t.diagnostic(`${harms.length} damaged spools`)
})

test('six hundred stored kills are not rated again for one flipped bit', async t => {
  const parent = folder(t)
  const home = path.join(parent, 'daemon')
  fs.mkdirSync(home)
  const daemon = await Daemon.start(home)
  t.after(() => daemon.stop())
  const peer = { url: daemon.url, token: await daemon.token('arena') }
  const dir = path.join(parent, 'mod')
  const before = open(dir, peer)
  for (let n = 0; n < 600; n++) before.kill('sword')
  await before.deliver()
  before.close()
  const bytes = fs.readFileSync(onlyFile(dir))
  fs.writeFileSync(onlyFile(dir), flip(bytes, bytes.length >> 2, 1))
  const after = open(dir, peer)
  after.kill('axe')
  await after.deliver()
  after.close()
  const weapons = (await daemon.kills()).map(({ weapon }) => weapon)
  assert.deepEqual([weapons.length, weapons.at(-1)], [601, 'axe'])
})

function flip (bytes, place, bits) {
  const out = Buffer.from(bytes)
  out[place] ^= bits
  return out
}

/** Where a line ends; if there are not so many, where the last one does. */
function endOf (bytes, line) {
  let place = -1
  for (let n = 0; n <= line; n++) {
    const next = bytes.indexOf('\n', place + 1)
    if (next < 0) return place
    place = next
  }
  return place
}
