'use strict'
const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { home, mod, folder, memoryLog, until } = require('./mod')

const { Spool } = mod('./spool.js')
const event = n => ({ type: 'kill', time: n, killer: { id: `k${n}`, name: 'Müller 🦊' }, victim: { id: 'v', name: null } })
const files = dir => fs.readdirSync(dir).filter(name => /^events-\d+-\d+\.jsonl$/.test(name)).sort()
const kept = spool => spool.read(spool.first, Infinity, Infinity).map(line => JSON.parse(line))
const times = spool => kept(spool).map(({ time }) => time)

function open (dir, options = {}) {
  return new Spool({ folder: dir, log: memoryLog(), ...options })
}

/** Opens, and closes when the test is over. */
function opened (t, dir, options) {
  const spool = open(dir, options)
  t.after(() => spool.close())
  return spool
}

test('a new spool has an id of its own and begins at one', t => {
  const [one, two] = [opened(t, folder(t)), opened(t, folder(t))]
  assert.match(one.id, /^[A-Za-z0-9_-]{8,64}$/)
  assert.notEqual(one.id, two.id)
  assert.deepEqual([one.first, one.last, one.acked], [1, 0, 0])
})

test('events are numbered without holes and may be sent only when they are on the disk', async t => {
  let calls = 0
  const spool = opened(t, folder(t), { onSynced: () => calls++ })
  assert.equal(spool.append(event(1)), 1)
  assert.equal(spool.append(event(2)), 2)
  assert.deepEqual(kept(spool), [], 'nothing is forced to the disk in the same moment')
  await until(() => spool.synced === 2, 'both are on the disk')
  assert.ok(calls >= 1)
  assert.deepEqual(kept(spool), [{ ...event(1), seq: 1 }, { ...event(2), seq: 2 }])
  assert.equal(JSON.stringify(kept(spool)[0]).startsWith('{"type":"kill","seq":1,'), true)
})

test('reading stops at the number and at the bytes that were asked for', async t => {
  const spool = opened(t, folder(t))
  for (let n = 1; n <= 10; n++) spool.append(event(n))
  await until(() => spool.synced === 10, 'on the disk')
  assert.equal(spool.read(4, 3, Infinity).length, 3)
  assert.equal(JSON.parse(spool.read(4, 3, Infinity)[0]).seq, 4)
  assert.equal(spool.read(1, 100, 1).length, 1, 'a single event always fits')
  assert.deepEqual(spool.read(11, 5, Infinity), [])
})

test('a server killed in the moment after an event still has it', t => {
  const dir = folder(t)
  const script = `
    const { Spool } = require(process.argv[1])
    const spool = new Spool({ folder: process.argv[2], log: console })
    for (let n = 1; n <= 3; n++) spool.append({ type: 'kill', time: n })
    process.kill(process.pid, 'SIGKILL')`
  const { signal, stderr } = spawnSync(process.execPath, ['-e', script, path.join(home, 'spool.js'), dir])
  assert.equal(signal, 'SIGKILL', stderr.toString())
  assert.deepEqual(times(opened(t, dir)), [1, 2, 3])
})

test('whatever byte the file is cut off at, the whole events before it are kept and the next one is sound', async t => {
  const dir = folder(t)
  const whole = open(dir)
  for (let n = 1; n <= 3; n++) whole.append(event(n))
  whole.ack(1)
  whole.append(event(4))
  whole.close()
  const [name] = files(dir)
  const bytes = fs.readFileSync(path.join(dir, name))
  const lines = bytes.toString().split('\n')
  const ends = lines.slice(0, -1).map((_, i) => Buffer.byteLength(lines.slice(0, i + 1).join('\n')) + 1)
  assert.equal(ends.at(-1), bytes.length)
  const parent = folder(t)
  for (let cut = 0; cut <= bytes.length; cut++) {
    const torn = path.join(parent, String(cut))
    fs.mkdirSync(torn)
    fs.writeFileSync(path.join(torn, name), bytes.subarray(0, cut))
    const spool = open(torn)
    const whole = lines.slice(0, ends.filter(end => end <= cut).length).slice(1).map(line => JSON.parse(line))
    const acked = Math.max(0, ...whole.map(value => value.acked ?? 0))
    const expected = whole.filter(value => value.seq > acked).map(value => value.time)
    assert.deepEqual(times(spool), expected, `cut at byte ${cut}`)
    assert.equal(spool.id === lines[0].slice(10, 26), cut >= ends[0], `the id at byte ${cut}`)
    spool.append(event(9))
    spool.close()
    const again = open(torn)
    assert.deepEqual(times(again), [...expected, 9], `one more after byte ${cut}`)
    again.close()
  }
})

test('a tail of zeros, as some file systems leave it after a power cut, is cut off', t => {
  const dir = folder(t)
  const spool = open(dir)
  spool.append(event(1))
  spool.close()
  fs.appendFileSync(path.join(dir, files(dir)[0]), Buffer.alloc(700))
  const again = opened(t, dir)
  assert.deepEqual(times(again), [1])
  assert.equal(again.id, spool.id)
})

test('what the daemon has stored is forgotten, and the numbering goes on after a restart', async t => {
  const dir = folder(t)
  const spool = open(dir)
  for (let n = 1; n <= 5; n++) spool.append(event(n))
  spool.ack(3)
  assert.deepEqual([spool.first, spool.acked, spool.last], [4, 3, 5])
  spool.ack(2)
  assert.equal(spool.acked, 3, 'an old ack changes nothing')
  spool.ack(99)
  assert.deepEqual([spool.first, spool.acked], [6, 5], 'nobody can have more than was given out')
  spool.close()
  const again = opened(t, dir)
  assert.deepEqual([again.id, again.first, again.last, kept(again)], [spool.id, 6, 5, []])
  assert.equal(again.append(event(6)), 6)
})

test('files whose events are all stored are deleted', async t => {
  const dir = folder(t)
  const spool = opened(t, dir, { limit: 1 << 20 }) // files of 16 KiB
  for (let n = 1; n <= 1000; n++) spool.append(event(n))
  await until(() => spool.synced === 1000, 'on the disk')
  assert.ok(files(dir).length > 5, `${files(dir).length} files`)
  spool.ack(500)
  const half = files(dir).length
  spool.ack(1000)
  assert.equal(files(dir).length, 1)
  assert.ok(half > 1 && half < 9, `${half} files for the other half`)
  assert.ok(fs.statSync(path.join(dir, files(dir)[0])).size < 4096)
})

test('a spool of many files is read back whole and in order', async t => {
  const dir = folder(t)
  const spool = open(dir, { limit: 1 << 20 })
  for (let n = 1; n <= 1000; n++) spool.append(event(n))
  spool.ack(321)
  spool.close()
  const again = opened(t, dir, { limit: 1 << 20 })
  assert.equal(again.first, 322)
  assert.deepEqual(times(again), Array.from({ length: 679 }, (_, i) => 322 + i))
})

test('a server killed while a new file was being made goes on in the old one', t => {
  const dir = folder(t)
  const spool = open(dir)
  spool.append(event(1))
  spool.close()
  for (const start of ['', '{"spool":"x']) {
    fs.writeFileSync(path.join(dir, 'events-1-000000000002.jsonl'), start)
    const again = open(dir)
    assert.deepEqual([again.id, times(again)], [spool.id, [1]])
    again.close()
  }
})

test('a full spool throws the oldest away, says so loudly and tells the lowest number it has', async t => {
  const dir = folder(t)
  const log = memoryLog()
  const limit = 64 << 10
  const spool = open(dir, { limit, log })
  for (let n = 1; n <= 2000; n++) spool.append(event(n))
  await until(() => spool.synced === 2000, 'on the disk')
  assert.ok(spool.first > 1000 && spool.first < 2000, `first is ${spool.first}`)
  assert.equal(kept(spool).at(-1).seq, 2000)
  assert.equal(log.lines.filter(line => /error: the spool is full/.test(line)).length, 1, 'once a minute is loud enough')
  const size = files(dir).reduce((sum, name) => sum + fs.statSync(path.join(dir, name)).size, 0)
  assert.ok(size < limit * 1.2, `${size} bytes`)
  spool.close()
  const again = opened(t, dir, { limit })
  assert.equal(again.id, spool.id)
  assert.ok(again.first <= spool.first)
  assert.equal(again.last, 2000)
})

test('a renumbered spool has another id, the numbers from one on, and survives a restart', async t => {
  const dir = folder(t)
  const spool = open(dir)
  for (let n = 1; n <= 5; n++) spool.append(event(n))
  spool.ack(2)
  const { id } = spool
  spool.renumber()
  assert.notEqual(spool.id, id)
  assert.deepEqual(kept(spool).map(({ seq, time }) => [seq, time]), [[1, 3], [2, 4], [3, 5]])
  assert.equal(spool.append(event(6)), 4)
  spool.close()
  const again = opened(t, dir)
  assert.deepEqual([again.id, times(again), files(dir).length], [spool.id, [3, 4, 5, 6], 1])
})

test('a server killed while renumbering has either all of the old spool or all of the new one', t => {
  const dir = folder(t)
  const old = open(dir)
  old.append(event(1))
  old.close()
  const [name] = files(dir)
  const bytes = fs.readFileSync(path.join(dir, name))
  fs.writeFileSync(path.join(dir, 'events-2-000000000001.jsonl.new'), '{"spool":"half a fil')
  const before = open(dir)
  assert.deepEqual([before.id, times(before)], [old.id, [1]])
  before.renumber()
  before.close()
  fs.writeFileSync(path.join(dir, name), bytes) // the old file was not deleted yet
  const after = opened(t, dir)
  assert.deepEqual([after.id, times(after), files(dir).length], [before.id, [1], 1])
})

for (const [what, harm] of [
  ['a line in the middle is rotten', text => text.replace('"seq":2', '"seq"#2')],
  ['the header is rotten', text => 'x' + text],
  ['a line is missing', text => text.replace(/.*"seq":2,.*\n/, '')]
]) {
  test(`when ${what}, all that can be read is kept under a new id and the file is set aside`, t => {
    const dir = folder(t)
    const log = memoryLog()
    const spool = open(dir)
    for (let n = 1; n <= 4; n++) spool.append(event(n))
    spool.close()
    const name = path.join(dir, files(dir)[0])
    fs.writeFileSync(name, harm(fs.readFileSync(name, 'utf8')))
    const again = opened(t, dir, { log })
    assert.notEqual(again.id, spool.id)
    const expected = /header/.test(what) ? [1, 2, 3, 4] : [1, 3, 4]
    assert.deepEqual(kept(again).map(({ seq, time }) => [seq, time]), expected.map((time, i) => [i + 1, time]))
    assert.equal(fs.readdirSync(dir).filter(name => name.includes('.damaged-')).length, 1)
    assert.match(log.lines[0], /^error: the spool is damaged/)
  })
}

test('a disk that is full for a while costs nothing but time', async t => {
  const dir = folder(t)
  const log = memoryLog()
  const spool = opened(t, dir, { log })
  spool.append(event(1))
  await until(() => spool.synced === 1, 'on the disk')
  const write = fs.writeSync
  fs.writeSync = (fd, bytes) => {
    write(fd, bytes.subarray(0, 10)) // part of a line gets through
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  }
  try {
    spool.append(event(2))
    spool.append(event(3))
  } finally {
    fs.writeSync = write
  }
  assert.equal(log.lines.length, 1)
  assert.match(log.lines[0], /no space left/)
  await until(() => spool.synced === 3, 'written after all')
  spool.close()
  const again = opened(t, dir)
  assert.deepEqual(times(again), [1, 2, 3])
})

test('an event costs the game far less than a tick', t => {
  const spool = opened(t, folder(t))
  const start = performance.now()
  for (let n = 0; n < 2000; n++) spool.append(event(n))
  const each = (performance.now() - start) / 2000
  t.diagnostic(`${(each * 1000).toFixed(1)} µs each`)
  assert.ok(each < 5, `${each} ms`)
})
