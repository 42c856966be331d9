'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { mod } = require('./mod')

const { Display } = mod('./display.js')
const MT3 = { text: 'MT3 ', color: 'gold' }
const HT1 = { text: 'HT1 ', color: 'red' }

/** A player whose client keeps what is written to it. */
function player (username) {
  const packets = []
  return {
    username,
    uuid: `uuid-${username}`,
    packets,
    _client: { write: (packet, fields) => packets.push({ packet, ...fields }) },
    teams: () => packets.filter(({ packet }) => packet === 'teams'),
    tabs: () => packets.filter(({ packet }) => packet === 'player_info').flatMap(({ data }) => data)
  }
}

function setUp (...names) {
  const display = new Display({ supportFeature: feature => feature === 'playerInfoActionIsBitfield' })
  const players = names.map(player)
  for (const someone of players) display.joined(someone.username, someone)
  return [display, ...players]
}

const label = (player, prefix, index = null) => ({ type: 'label', player: player.username, prefix, index })

test('a label is shown to everybody, in the tab list and over the head', () => {
  const [display, ann, bob] = setUp('Ann', 'Bob')
  display.label(label(ann, MT3, 8))
  for (const someone of [ann, bob]) {
    const [team] = someone.teams()
    assert.deepEqual([team.mode, team.players, JSON.parse(team.prefix)], [0, ['Ann'], MT3])
    assert.deepEqual(someone.tabs().map(({ uuid, displayName }) => [uuid, JSON.parse(displayName)]),
      [['uuid-Ann', { text: '', extra: [MT3, { text: 'Ann' }] }]])
  }
})

test('a label with the same prefix sends nothing', () => {
  const [display, ann] = setUp('Ann')
  display.label(label(ann, MT3, 8))
  const before = ann.packets.length
  display.label(label(ann, { ...MT3 }, 8))
  assert.equal(ann.packets.length, before)
})

test('a new prefix in the same tier changes the team, in another tier it moves to another team', () => {
  const [display, ann] = setUp('Ann')
  display.label(label(ann, MT3, 8))
  display.label(label(ann, { text: 'MT3* ' }, 8))
  display.label(label(ann, HT1, 1))
  const [made, changed, removed, again] = ann.teams()
  assert.deepEqual([made.mode, changed.mode, removed.mode, again.mode], [0, 2, 1, 0])
  assert.equal(changed.team, made.team)
  assert.equal(removed.team, made.team)
  assert.ok(again.team < made.team, 'the better tier sorts first')
})

test('a player without a label has no team and its own name', () => {
  const [display, ann] = setUp('Ann')
  display.label(label(ann, null))
  assert.deepEqual(ann.packets, [])
  display.label(label(ann, MT3, 8))
  display.label(label(ann, null))
  assert.equal(ann.teams().at(-1).mode, 1)
  assert.equal(ann.tabs().at(-1).displayName, undefined)
})

test('team names are short and never the same for two players', () => {
  const names = Array.from({ length: 400 }, (_, n) => `SameLongPlayer${n}`)
  const [display, ...players] = setUp(...names)
  players.forEach((someone, n) => display.label(label(someone, MT3, [null, 1, 15, 12345][n % 4])))
  const teams = players[0].teams().map(({ team }) => team)
  assert.equal(new Set(teams).size, names.length)
  for (const team of teams) assert.ok(team.length <= 16, team)
})

test('who joins late sees all labels, and its own is back', () => {
  const [display, ann, bob] = setUp('Ann', 'Bob')
  display.label(label(ann, MT3, 8))
  display.label({ ...label(bob, HT1, 1), player: 'Cid' }) // known from before
  const cid = player('Cid')
  display.joined('Cid', cid)
  assert.deepEqual(cid.teams().map(({ players }) => players[0]).sort(), ['Ann', 'Cid'])
  assert.deepEqual(cid.tabs().map(({ uuid }) => uuid).sort(), ['uuid-Ann', 'uuid-Cid'])
  assert.deepEqual(bob.teams().at(-1).players, ['Cid'])
})

test('who leaves takes its team along, and nothing is written to it', () => {
  const [display, ann, bob] = setUp('Ann', 'Bob')
  display.label(label(ann, MT3, 8))
  const before = ann.packets.length
  display.left('Ann')
  assert.equal(ann.packets.length, before)
  assert.deepEqual([bob.teams().at(-1).mode, bob.teams().at(-1).team], [1, bob.teams()[0].team])
  const cid = player('Cid')
  display.joined('Cid', cid)
  assert.deepEqual(cid.packets, [])
})

test('what the admin switches off disappears, and comes back when it is switched on', () => {
  const [display, ann] = setUp('Ann')
  display.label(label(ann, MT3, 8))
  display.settings({ tab_list: false, name_tag: true })
  assert.deepEqual(JSON.parse(ann.tabs().at(-1).displayName), { text: 'Ann' }, 'else clients would show the team there')
  display.settings({ tab_list: false, name_tag: false })
  assert.equal(ann.teams().at(-1).mode, 1)
  assert.equal(ann.tabs().at(-1).displayName, undefined)
  display.settings({ tab_list: true, name_tag: false })
  assert.equal(ann.teams().at(-1).mode, 1)
  assert.deepEqual(JSON.parse(ann.tabs().at(-1).displayName).extra[0], MT3)
  const before = ann.packets.length
  display.settings({ tab_list: true, name_tag: false })
  assert.equal(ann.packets.length, before)
})

test('a title clears the subtitle of the one before', () => {
  const [display, ann] = setUp('Ann')
  display.show([ann], { where: 'title', text: { text: 'Up' }, subtitle: { text: 'MT1' } })
  display.show([ann], { where: 'title', text: { text: 'Down' } })
  const said = ann.packets.filter(({ packet }) => packet !== 'set_title_time').map(({ packet, text }) => [packet, JSON.parse(text).text])
  assert.deepEqual(said, [['set_title_subtitle', 'MT1'], ['set_title_text', 'Up'], ['set_title_subtitle', ''], ['set_title_text', 'Down']])
})

test('labels of players who left are not kept without end', () => {
  const [display, ann] = setUp('Ann')
  display.label(label(ann, MT3, 8))
  for (let n = 0; n < 6000; n++) display.label({ player: `gone${n}`, prefix: MT3, index: 8 })
  const bob = player('Bob')
  display.joined('Bob', bob)
  assert.equal(bob.teams().length, 1, 'those of the players who are there are')
})
