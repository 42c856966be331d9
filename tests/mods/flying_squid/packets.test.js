'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { mod, vector } = require('./mod')

const packets = mod('./packets.js')
const text = mod('./text.js')

// ---- what this mod sends, built by its own code from the shared packets

const BUILD = {
  hello: ({ platform_version: platformVersion, mod_version: modVersion, ...rest }) => packets.hello({ platformVersion, modVersion, ...rest }),
  kill: ({ seq, ...rest }) => ({ ...packets.kill(rest), seq }),
  death: ({ seq, ...rest }) => ({ ...packets.death(rest), seq }),
  join: ({ player }) => packets.join(player),
  quit: ({ player }) => packets.quit(player),
  world: ({ player, world }) => packets.world(player, world),
  command: packets.command
}

for (const { name, packets: expected } of vector('from_mod.json')) {
  const valid = (expected ?? []).filter(packet => packet.type)
  if (valid.length === 0 || valid.length < expected.length) continue
  test(`builds: ${name}`, () => {
    for (const packet of valid) {
      const built = BUILD[packet.type](packet)
      const own = packet.type === 'hello' ? { ...packet, platform: 'flying-squid' } : packet
      assert.deepEqual(JSON.parse(JSON.stringify(built)), own)
    }
  })
}

test('keys from other plugins that the contract does not allow are left out', () => {
  const [killer, victim] = [{ id: 'a', name: 'A' }, { id: 'b', name: 'B' }]
  for (const bad of ['', 'x'.repeat(65), 'two words', 7, null, undefined]) {
    const packet = packets.kill({ time: 1, killer, victim, cause: bad, weapon: bad, world: bad })
    assert.deepEqual([packet.cause, packet.weapon, packet.world], ['attack', null, null])
  }
})

test('a command line of any length stays within the limits', () => {
  const packet = packets.command({ id: 'c', sender: null, world: null, words: Array(99).fill('x'.repeat(999)), permissions: [] })
  assert.equal(packet.words.length, 32)
  assert.equal(packet.words[0].length, 256)
})

// ---- what this mod reads

for (const { name, packet } of vector('from_daemon.json')) {
  test(`reads: ${name}`, () => {
    const known = packet.type !== 'sparkle'
    assert.deepEqual(packets.readFrame(JSON.stringify(packet)), { packets: known ? [packet] : [], faults: [] })
  })
}

test('reads all packets of one frame in order', () => {
  const all = vector('from_daemon.json').map(({ packet }) => packet)
  const read = packets.readFrame(JSON.stringify(all))
  assert.deepEqual(read.packets, all.filter(({ type }) => type !== 'sparkle'))
})

test('a packet that breaks the contract is left out and named, the others are read', () => {
  const ack = { type: 'ack', seq: 3 }
  const bad = [{ type: 'ack' }, { type: 'ack', seq: -1 }, { type: 'label', player: 'a', prefix: 'MT3' }, { seq: 1 }, 7, null, [],
    { type: 'message', player: 'a', where: 'sign', text: { text: 'x' } }, { type: 'reply', id: 'c', lines: ['x'] }, { type: 'toString' }]
  const read = packets.readFrame(JSON.stringify([ack, ...bad, ack]))
  assert.deepEqual(read.packets, [ack, ack])
  assert.equal(read.faults.length, bad.length - 1, 'all but the one of an unknown type')
  assert.deepEqual(packets.readFrame('nonsense'), { packets: [], faults: ['a frame that is not JSON'] })
})

// ---- text

test('nothing but what the contract allows is left in a text', () => {
  const wild = {
    text: 'a',
    color: 'orange',
    bold: 'yes',
    italic: true,
    clickEvent: { action: 'run_command', value: '/stop' },
    extra: [{ text: 'b', color: '#a0B1c2', hoverEvent: {} }, 'c', null, { translate: 'x' }, { text: 5, color: 'red' }]
  }
  assert.deepEqual(text.clean(wild), {
    text: 'a', italic: true, extra: [{ text: 'b', color: '#a0B1c2' }, { text: '' }, { text: '', color: 'red' }]
  })
})

test('a text of any depth or length is cut to what a client takes', () => {
  let deep = { text: 'x' }
  for (let i = 0; i < 5000; i++) deep = { text: 'x', extra: [deep] }
  assert.ok(text.plain(text.clean(deep)).length < 100)
  const long = text.clean({ text: 'y'.repeat(15000), extra: [{ text: 'z'.repeat(15000) }] })
  assert.equal(text.plain(long).length, 20000)
})

test('a text as NBT says the same as the text as JSON', () => {
  const given = { text: 'a', color: 'gold', bold: true, extra: [{ text: 'b', italic: false }] }
  assert.deepEqual(text.toNbt(given), {
    type: 'compound',
    name: '',
    value: {
      text: { type: 'string', value: 'a' },
      color: { type: 'string', value: 'gold' },
      bold: { type: 'byte', value: 1 },
      extra: { type: 'list', value: { type: 'compound', value: [{ text: { type: 'string', value: 'b' }, italic: { type: 'byte', value: 0 } }] } }
    }
  })
})
