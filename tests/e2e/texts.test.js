'use strict'
const assert = require('node:assert/strict')
const { once } = require('node:events')
const { test } = require('node:test')
const { WebSocketServer } = require('ws')
const { until } = require('./children')
const { setUp } = require('./stage')

const RICH = {
  text: '',
  extra: [{ text: 'Müller 🦊 ', color: '#ff8800', bold: true }, { text: 'wins', color: 'gold', italic: false, extra: [{ text: '!', underlined: true }] }]
}
const PLAIN = 'Müller 🦊 wins!'

/** Says to the mod whatever a daemon may say, whether or not today's daemon does. */
async function speaker (t) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  t.after(() => { server.clients.forEach(client => client.terminate()); server.close() })
  const ids = new Map() // name -> id
  server.on('connection', socket => socket.on('message', data => {
    for (const packet of [JSON.parse(data)].flat()) {
      if (packet.type === 'hello') say({ type: 'welcome', protocol: 1, daemon_version: '0', server: 's', seq: 0, window: 1 })
      if (packet.type === 'join') ids.set(packet.player.name, packet.player.id)
    }
  }))
  const say = packet => server.clients.forEach(client => client.send(JSON.stringify(packet)))
  return { url: `ws://127.0.0.1:${server.address().port}/`, ids, say }
}

for (const version of ['1.20.1', '1.21.1']) {
  test(`clients of ${version} can read every kind of text`, async t => {
    const { url, ids, say } = await speaker(t)
    const { server, bots: [ann, bob] } = await setUp(t, { version, players: ['Ann', 'Bob'], url })
    const id = await until(() => ids.get('Ann'), 'Ann joined')

    say({ type: 'message', player: id, where: 'chat', text: RICH })
    await until(() => ann.lines.includes(PLAIN), 'a line of chat')
    say({ type: 'message', player: id, where: 'action_bar', text: RICH })
    await until(() => ann.bars.includes(PLAIN), 'an action bar')
    say({ type: 'message', player: id, where: 'title', text: RICH, subtitle: { text: 'MT1', color: 'aqua' } })
    await until(() => ann.titles.length === 2, 'a title and a subtitle')
    assert.deepEqual(ann.titles.map(([kind]) => kind), ['subtitle', 'title'])
    assert.match(JSON.stringify(ann.titles[0]), /MT1/)
    assert.match(JSON.stringify(ann.titles[1]), /Müller 🦊 /)

    await server.op('Bob', true)
    say({ type: 'broadcast', where: 'chat', text: { text: 'for admins' }, permission: 'adrbridge.admin' })
    say({ type: 'broadcast', where: 'chat', text: { text: 'for all' } })
    await until(() => ann.lines.includes('for all') && bob.lines.includes('for all'), 'a broadcast')
    assert.deepEqual([ann, bob].map(bot => bot.lines.includes('for admins')), [false, true])
    assert.deepEqual([bob.lines.includes(PLAIN), bob.bars, bob.titles], [false, [], []], 'what was for Ann only')

    const label = { type: 'label', player: id.toUpperCase(), tier: 'MT1', index: 2, rating: 1, rank: 1 }
    say({ ...label, prefix: RICH })
    await until(() => bob.tag('Ann') === PLAIN && bob.tab('Ann') === PLAIN + 'Ann', 'a label')
    say({ ...label, index: 3, prefix: { text: 'LT1 ' } })
    await until(() => bob.tag('Ann') === 'LT1 ' && bob.tab('Ann') === 'LT1 Ann', 'another label')
    say({ type: 'settings', combat_window: 1, combat_log: 'kill', tab_list: false, name_tag: false })
    await until(() => bob.tag('Ann') === null && bob.tab('Ann') === 'Ann', 'no label')
    assert.deepEqual([...ann.problems, ...bob.problems], [])
  })
}
