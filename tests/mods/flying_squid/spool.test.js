'use strict'
const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { home, mod, folder, memoryLog, until } = require('./mod')

const { Spool } = mod('./spool.js')
const event = n => ({ type: 'kill', time: n, killer: { id: `k${n}`, name: 'Müller 🦊' }, victim: { id: 'v', name: null } })
const files = dir => fs.readdirSync(dir).filter(name => /^events-\d+-\d+-[\w-]+\.spool$/.test(name)).sort()
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
  const old = open(dir)
  for (let n = 1; n <= 3; n++) old.append(event(n))
  old.ack(1)
  old.append(event(4))
  old.close()
  const [name] = files(dir)
  const bytes = fs.readFileSync(path.join(dir, name))
  const lines = bytes.toString().split('\n').slice(0, -1)
  const ends = lines.map((_, i) => Buffer.byteLength(lines.slice(0, i + 1).join('\n'))) // without the line feed
  assert.equal(ends.at(-1) + 1, bytes.length)
  const parent = folder(t)
  for (let cut = 0; cut <= bytes.length; cut++) {
    const torn = path.join(parent, String(cut))
    fs.mkdirSync(torn)
    fs.writeFileSync(path.join(torn, name), bytes.subarray(0, cut))
    const log = memoryLog()
    const spool = open(torn, { log })
    const whole = lines.slice(0, ends.filter(end => end <= cut).length).slice(1).map(line => JSON.parse(line.slice(9)))
    const acked = Math.max(0, ...whole.map(value => value.acked ?? 0))
    const expected = whole.filter(value => value.seq > acked).map(value => value.time)
    assert.deepEqual(times(spool), expected, `cut at byte ${cut}`)
    assert.equal(spool.id, old.id, `the id at byte ${cut}`)
    assert.deepEqual(log.lines, [], 'this is how a crash looks, and no damage')
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
  for (const start of ['', '5f0c2a91 {"spool":"x']) {
    const [name] = files(dir)
    fs.writeFileSync(path.join(dir, name.replace(/-0+1-/, '-000000000002-')), start)
    const again = open(dir)
    assert.deepEqual([again.id, times(again), again.last], [spool.id, [1], 1])
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

test('a renewed spool has another id, what came since the start under the numbers from one on, and survives a restart', async t => {
  const dir = folder(t)
  const spool = open(dir)
  for (let n = 1; n <= 5; n++) spool.append(event(n))
  spool.ack(2)
  const { id } = spool
  spool.renew()
  assert.notEqual(spool.id, id)
  assert.deepEqual(kept(spool).map(({ seq, time }) => [seq, time]), [[1, 3], [2, 4], [3, 5]])
  assert.equal(spool.append(event(6)), 4)
  spool.close()
  const again = opened(t, dir)
  assert.deepEqual([again.id, times(again), files(dir).length], [spool.id, [3, 4, 5, 6], 1])
})

test('a server killed while renewing has either all of the old spool or all of the new one', t => {
  const dir = folder(t)
  const old = open(dir)
  old.append(event(1))
  old.close()
  const [name] = files(dir)
  const bytes = fs.readFileSync(path.join(dir, name))
  fs.writeFileSync(path.join(dir, 'events-2-000000000001-abcdefgh.spool.new'), '{"spool":"half a fil')
  const before = open(dir)
  assert.deepEqual([before.id, times(before)], [old.id, [1]])
  before.append(event(2))
  before.renew()
  before.close()
  fs.writeFileSync(path.join(dir, name), bytes) // the old file was not deleted yet
  const after = opened(t, dir)
  assert.deepEqual([after.id, times(after), files(dir).length], [before.id, [2], 1])
})

for (const [what, harm, left] of [
  ['a line in the middle is rotten', text => text.replace('"seq":3', '"seq"#3'), [2, 4]],
  ['a number in the middle is another', text => text.replace('"seq":3', '"seq":7'), [2, 4]],
  ['the first line is rotten', text => text.replace('"spool"', '"spoon"'), [2, 3, 4]],
  ['the first line is missing', text => text.replace(/.*\n/, ''), [2, 3, 4]],
  ['a line is missing', text => text.replace(/.*"seq":3,.*\n/, ''), [2, 4]],
  ['a mark stands behind a rotten line', text => text.replace('"seq":1', '"seq":9'), [2, 3, 4]],
  ['two lines run into one', text => text.replace('}\n', '}x'), [2, 3, 4]]
]) {
  test(`when ${what}, all that can be read is kept under its own number and the old id`, t => {
    const dir = folder(t)
    const log = memoryLog()
    const spool = open(dir)
    for (let n = 1; n <= 3; n++) spool.append(event(n))
    spool.ack(1)
    spool.append(event(4))
    spool.close()
    const name = path.join(dir, files(dir)[0])
    const damaged = harm(fs.readFileSync(name, 'utf8'))
    fs.writeFileSync(name, damaged)
    const again = open(dir, { log })
    assert.deepEqual([again.id, all(again)], [spool.id, left])
    assert.equal(again.append(event(5)), 5)
    const aside = fs.readdirSync(dir).filter(name => name.includes('.damaged-'))
    if (/rotten|another/.test(what)) {
      assert.match(log.lines[0], /^error: the spool is damaged: 1 of its lines cannot be read\. \d kills .* None is rated twice/)
      assert.equal(fs.readFileSync(path.join(dir, aside[0]), 'utf8'), damaged)
    } else assert.deepEqual([log.lines, aside], [[], []])
    again.close()
    const third = opened(t, dir, { log: { error: assert.fail } })
    assert.deepEqual([third.id, all(third)], [spool.id, [...left, 5]])
  })
}

const shuffled = lines => lines.map((_, i) => lines[(i * 7 + 3) % lines.length])

for (const [what, disorder] of [
  ['stand backwards', lines => [lines[0], ...lines.slice(1).reverse()]],
  ['are shuffled, even the first', shuffled],
  ['stand there twice', lines => [...lines, ...lines.slice(2)]]
]) {
  test(`whole lines that ${what} are all kept, and written anew in order`, t => {
    const dir = folder(t)
    const spool = open(dir)
    for (let n = 1; n <= 9; n++) spool.append(event(n))
    spool.close()
    const name = path.join(dir, files(dir)[0])
    const lines = fs.readFileSync(name, 'utf8').split('\n').filter(Boolean)
    assert.equal(lines.length, 10)
    fs.writeFileSync(name, disorder(lines).join('\n') + '\n')
    const again = open(dir, { log: { error: assert.fail } })
    assert.deepEqual([again.id, times(again), again.last], [spool.id, [1, 2, 3, 4, 5, 6, 7, 8, 9], 9])
    assert.equal(again.append(event(10)), 10)
    again.close()
    const found = files(dir).flatMap(name => fs.readFileSync(path.join(dir, name), 'utf8').match(/"seq":\d+/g))
    assert.deepEqual(found, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(n => `"seq":${n}`))
  })
}

test('a whole line that has got into another file of the spool is kept', t => {
  const dir = folder(t)
  const spool = open(dir, { limit: 1 << 17 })
  for (let n = 1; n <= 100; n++) spool.append(event(n))
  spool.close()
  const [first, , third] = files(dir).map(name => path.join(dir, name))
  const lines = fs.readFileSync(first, 'utf8').split('\n')
  const [moved] = lines.splice(2, 1)
  fs.writeFileSync(first, lines.join('\n'))
  fs.appendFileSync(third, moved + '\n')
  const again = opened(t, dir, { log: { error: assert.fail } })
  assert.deepEqual(times(again), Array.from({ length: 100 }, (_, i) => i + 1))
})

/** The numbers of everything kept, also behind what is lost; the times are the same here. */
function all (spool) {
  const numbers = []
  for (let from = spool.first; from <= spool.last; from++) {
    for (const line of spool.read(from, 1, 1)) {
      const { seq, time } = JSON.parse(line)
      assert.equal(seq, time)
      numbers.push(seq)
    }
  }
  return numbers
}

test('behind an event that is lost nothing is sent before all before it are stored', t => {
  const dir = folder(t)
  const spool = open(dir)
  for (let n = 1; n <= 5; n++) spool.append(event(n))
  spool.close()
  const name = path.join(dir, files(dir)[0])
  fs.writeFileSync(name, fs.readFileSync(name, 'utf8').replace('"seq":3', '"seq"#3'))
  const again = opened(t, dir)
  assert.deepEqual([times(again), again.first, again.last], [[1, 2], 1, 5])
  again.ack(1)
  assert.equal(again.first, 2)
  again.ack(2)
  assert.deepEqual([times(again), again.first], [[4, 5], 4])
})

for (const [what, stored, added, expected] of [
  ['knows as much as it held', 3, 1, { ok: true, kept: [4] }],
  ['knows less', 1, 1, { ok: true, kept: [2, 3, 4] }],
  ['knows more: an older copy, so only what is new goes on', 5, 1, { ok: false, kept: [4] }],
  ['knows more, though that many numbers were given out since', 4, 3, { ok: false, kept: [4, 5, 6] }]
]) {
  test(`a spool greets a daemon that ${what}`, t => {
    const dir = folder(t)
    const old = open(dir)
    for (let n = 1; n <= 3; n++) old.append(event(n))
    old.close()
    const spool = opened(t, dir)
    for (let n = 4; n < 4 + added; n++) spool.append(event(n))
    assert.equal(spool.welcome(stored), expected.ok)
    assert.equal(spool.id === old.id, expected.ok)
    spool.close()
    assert.deepEqual(times(opened(t, dir)), expected.kept)
  })
}

/** A spool as the first version of this mod wrote it. */
function oldSpool (dir, harm = text => text) {
  const line = value => JSON.stringify(value) + '\n'
  const numbered = n => line({ type: 'kill', seq: n, ...event(n) })
  fs.writeFileSync(path.join(dir, 'events-3-000000000041.jsonl'),
    harm(line({ spool: 'Zk3vQ9x2LmT0abcd', first: 41, acked: 40 }) + [41, 42, 43].map(numbered).join('') + line({ acked: 41 }) + numbered(44)))
  fs.writeFileSync(path.join(dir, 'events-3-000000000045.jsonl'),
    line({ spool: 'Zk3vQ9x2LmT0abcd', first: 45, acked: 42 }) + numbered(45) + numbered(46).slice(0, 40))
}

for (const [what, harm, left] of [
  ['is whole', text => text, [43, 44, 45]],
  ['has a rotten line', text => text.replace('"seq":43', '"seq"#43'), [44, 45]],
  ['has a number that is another', text => text.replace('"seq":43', '"seq":63'), [44, 45]],
  ['has a mark that is another', text => text.replace('"acked":41', '"acked":91'), [43, 44, 45]],
  ['has no first line', text => text.replace(/.*\n/, ''), [43, 44, 45]],
  ['has a rotten first line', text => 'x' + text, [43, 44, 45]]
]) {
  test(`an old spool that ${what} is read, and written anew with checksums`, t => {
    const dir = folder(t)
    oldSpool(dir, harm)
    const spool = open(dir)
    assert.deepEqual([spool.id, all(spool), spool.last], ['Zk3vQ9x2LmT0abcd', left, 45])
    spool.close()
    assert.deepEqual(fs.readdirSync(dir).filter(name => name.endsWith('.jsonl')), [])
    assert.deepEqual(all(opened(t, dir, { log: { error: assert.fail } })), left)
  })
}

test('an old spool whose name is lost goes on under a new one, without what is known to be stored', t => {
  const dir = folder(t)
  const log = memoryLog()
  oldSpool(dir, text => text.replace(/.*\n/, ''))
  fs.rmSync(path.join(dir, 'events-3-000000000045.jsonl'))
  const spool = opened(t, dir, { log })
  assert.deepEqual(kept(spool).map(({ seq, time }) => [seq, time]), [[1, 42], [2, 43], [3, 44]])
  assert.match(log.lines[0], /its first line is missing\. 3 kills .* some may be rated a second time/)
})

test('files of another spool in the folder are set aside, and not sent under this name', t => {
  const [dir, other] = [folder(t), folder(t)]
  const [spool, stranger] = [open(dir), open(other)]
  for (const each of [spool, stranger]) for (let n = 1; n <= 2; n++) each.append(event(n))
  for (const each of [spool, stranger]) each.close()
  fs.copyFileSync(path.join(other, files(other)[0]), path.join(dir, files(other)[0].replace('-000000000001-', '-000000000000-')))
  const log = memoryLog()
  const again = opened(t, dir, { log })
  assert.deepEqual([again.id, times(again)], [spool.id, [1, 2]])
  assert.match(log.lines[0], /files of another spool are in its folder/)
})

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
