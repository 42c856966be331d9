'use strict'
// A whole event on a real game server, with six players who fight.

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { until } = require('./children')
const { setUp } = require('./stage')

const NAMES = ['Ann', 'Bob', 'Cat', 'Dan', 'Eve', 'Fay']

/** The formulas of a contest among newcomers, pair by pair. `kills`: by name. */
function deltas (kills) {
  const names = Object.keys(kills)
  const most = Math.max(...Object.values(kills))
  const scores = Object.fromEntries(names.map(name => [name, kills[name] / most]))
  return Object.fromEntries(names.map(one => {
    const others = names.filter(other => other !== one)
    const won = others.reduce((sum, other) => sum + 0.5 + (scores[one] - scores[other]) / 2 - 0.85 / 2, 0)
    return [one, Math.max(0, 40 / Math.sqrt(others.length) * won)] // nobody falls below 1500
  }))
}

const signed = delta => (Math.round(delta) < 0 ? '' : '+') + Math.round(delta)

test('an event from its start to the results, with a player who leaves and a daemon that is killed in the middle', async t => {
  const { daemon, server, bots } = await setUp(t, { players: NAMES })
  const [ann, bob, cat, dan, eve, fay] = bots
  await server.op('Ann', true)
  await bob.ask('/event start', /^You are not allowed/)
  await ann.ask('/event start 30 Friday night', /^Event #1 Friday night is on/)
  await until(() => bots.every(bot => bot.lines.some(line => line.startsWith('Event #1 Friday night: 30m, the most kills win'))), 'everybody hears of it')

  await ann.kill(bob)
  await ann.kill(cat)
  await dan.kill(ann)
  await eve.kill(fay)
  dan.quit()
  await until(() => ann.tab('Dan') === null, 'Dan is gone')
  await until(async () => (await daemon.kills()).length === 4, 'four kills are stored')

  await daemon.stop('SIGKILL')
  await ann.kill(eve)
  await cat.kill(bob)
  await daemon.start()
  await until(async () => (await daemon.kills()).length === 6, 'those of the gap are stored too')
  await fay.kill(cat)
  await bob.ask('/event status', /^1\. Ann: kills 3, deaths 1/)

  await ann.ask('/event stop', /^Event #1 Friday night has ended/)
  const kills = { Ann: 3, Bob: 0, Cat: 1, Dan: 1, Eve: 1, Fay: 1 }
  const wanted = deltas(kills)
  await until(() => bob.lines.some(line => line.startsWith('You: place')), 'the results are told')
  const from = bob.lines.findIndex(line => line.startsWith('Event #1 Friday night is over. 6 took part'))
  assert.equal(bob.lines[from + 1], `1. Ann: kills 3, deaths 1, event rating ${Math.round(1500 + wanted.Ann)} (${signed(wanted.Ann)})`)
  for (const bot of [ann, bob, cat, eve, fay]) {
    const line = await until(() => bot.lines.find(line => line.startsWith('You: place')), `${bot.name} hears of the own result`)
    assert.match(line, new RegExp(`of 6, event rating ${Math.round(1500 + wanted[bot.name])} \\(\\${signed(wanted[bot.name])}\\)$`))
  }

  const { standings } = JSON.parse(await daemon.command('contest', 'show', '1', '--json'))
  assert.deepEqual(Object.fromEntries(standings.map(({ name, kills }) => [name, kills])), kills)
  for (const { name, before, after } of standings) {
    assert.ok(Math.abs(after - before - wanted[name]) < 1e-9, `${name}: ${after - before}, not ${wanted[name]}`)
  }
  await ann.ask('/rank', new RegExp(`^Event rating ${Math.round(1500 + wanted.Ann)}, events 1`))
  await bob.ask('/rank events Dan', /^#1 Friday night, .* place 2 of 6/)
  await server.console('event void 1')
  await until(() => /Event #1 Friday night is void/.test(server.output), 'it is taken back')
  await ann.ask('/rank events', /^Ann has not been in a rated event/)
})
