'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { mod, memoryLog, until } = require('./mod')

const { Commands, allowed } = mod('./commands.js')
const PLAYER = ['adrbridge.rank', 'adrbridge.rank.others', 'adrbridge.top']

function setUp ({ connected = true } = {}) {
  const sent = []
  const answers = []
  const commands = new Commands({
    send: packet => { if (connected) sent.push(packet); return connected },
    identify: ({ username }) => ({ id: username.toLowerCase(), name: username, world: 'overworld' }),
    answer: (player, lines) => answers.push([player?.username ?? 'console', ...lines.map(({ text }) => text)]),
    patience: 30
  })
  const registered = {}
  commands.register({ commands: { hash: { rank: {} }, add: params => { registered[params.base] = params } } }, memoryLog())
  return { commands, registered, sent, answers }
}

const ann = { username: 'Ann', op: false }

test('the words of a player go out with what the player may do', () => {
  const { registered, sent } = setUp()
  registered.rank.action(' top   2 ', { player: ann })
  const { id, ...packet } = sent[0]
  assert.match(id, /^.{1,64}$/)
  assert.deepEqual(packet, { type: 'command', sender: { id: 'ann', name: 'Ann' }, world: 'overworld', words: ['rank', 'top', '2'], permissions: PLAYER })
})

test('operators and the console are admins', () => {
  const { registered, sent } = setUp()
  registered.rankadmin.action('status', { player: { ...ann, op: true } })
  registered.rankadmin.action('', {})
  assert.deepEqual(sent.map(({ sender, words, permissions }) => [sender?.name, words, permissions]), [
    ['Ann', ['rankadmin', 'status'], [...PLAYER, 'adrbridge.admin']],
    [undefined, ['rankadmin'], [...PLAYER, 'adrbridge.admin']]
  ])
  assert.deepEqual([allowed(ann, 'adrbridge.admin'), allowed(ann, 'adrbridge.top'), allowed({ op: true }, 'anything')], [false, true, true])
})

test('the reply goes to the one who asked, once', () => {
  const { commands, registered, sent, answers } = setUp()
  registered.rank.action('', { player: ann })
  registered.rank.action('top', {})
  const [one, two] = sent.map(({ id }) => id)
  assert.notEqual(one, two)
  commands.reply({ id: two, lines: [{ text: 'a' }, { text: 'b' }] })
  commands.reply({ id: one, lines: [{ text: 'c' }] })
  commands.reply({ id: one, lines: [{ text: 'again' }] })
  commands.reply({ id: 'unknown', lines: [{ text: 'x' }] })
  assert.deepEqual(answers, [['console', 'a', 'b'], ['Ann', 'c']])
})

for (const [when, options, act] of [
  ['there is no link', { connected: false }, () => {}],
  ['no reply comes in time', {}, () => {}],
  ['the daemon reports an error', {}, ({ commands, sent }) => commands.failed({ id: sent[0].id })]
]) {
  test(`when ${when}, there is one polite line`, async () => {
    const stage = setUp(options)
    stage.registered.rank.action('', { player: ann })
    act(stage)
    await until(() => stage.answers.length > 0, 'an answer')
    await new Promise(resolve => setTimeout(resolve, 60))
    assert.deepEqual(stage.answers, [['Ann', 'Ratings are not available at the moment. Please try again later.']])
  })
}
