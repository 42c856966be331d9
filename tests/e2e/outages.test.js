'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { until, sleep } = require('./children')
const { setUp } = require('./stage')

const range = count => Array.from({ length: count }, (_, i) => i + 1)

/** Every kill of the log has its number, once, in the order in which it happened, and is rated. */
function assertWhole (kills, count) {
  assert.deepEqual(kills.map(({ seq }) => seq), range(count))
  assert.equal(new Set(kills.map(({ spool }) => spool)).size, 1)
  assert.deepEqual(kills.map(({ time }) => time), kills.map(({ time }) => time).sort((a, b) => a - b))
  assert.deepEqual(kills.filter(({ reason }) => reason !== null), [])
}

async function stored (daemon, count) {
  return until(async () => {
    const kills = await daemon.kills()
    return kills.length >= count && kills
  }, `${count} kills are stored`, 60000)
}

test('the daemon is away for ten seconds of a fight: every kill is rated once, in order', async t => {
  const { daemon, bots: [ann, bob] } = await setUp(t, { players: ['Ann', 'Bob'] })
  let kills = 0
  const enough = new AbortController()
  const fight = (async () => {
    for (; !enough.signal.aborted; kills++) await ann.kill(bob)
  })()
  await until(() => kills >= 3, 'the fight is on')
  await daemon.stop()
  const before = kills
  await sleep(10000)
  const during = kills - before
  await daemon.start()
  await until(() => kills >= before + during + 3, 'the fight goes on')
  enough.abort()
  await fight
  assert.ok(during >= 3, `${during} kills without the daemon`)
  await stored(daemon, kills)
  await sleep(500) // none may follow
  assertWhole(await daemon.kills(), kills)
})

test('the daemon is killed in a fight, again and again: every kill is rated once, in order', async t => {
  const { daemon, bots: [ann, bob] } = await setUp(t, { players: ['Ann', 'Bob'] })
  let kills = 0
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 3; n++, kills++) await ann.kill(bob)
    await daemon.stop('SIGKILL')
    await ann.kill(bob)
    kills++
    await daemon.start()
  }
  await stored(daemon, kills)
  assertWhole(await daemon.kills(), kills)
})

test('the game server is killed and started again: its kills arrive once and nobody is announced twice', async t => {
  const stage = await setUp(t, { players: ['Ann', 'Bob', 'Eve'], settings: { announcements: { placement: 'broadcast' } } })
  const { daemon, server } = stage
  let [ann, bob, eve] = stage.bots
  await ann.kill(bob)
  await until(() => eve.lines.filter(line => line.startsWith('★')).length === 2, 'both are placed')
  await daemon.stop()
  for (let n = 0; n < 3; n++) await ann.kill(bob)
  const heard = [...eve.lines]
  await server.stop('SIGKILL')

  await daemon.start()
  await sleep(1000)
  assert.equal((await daemon.kills()).length, 1, 'the other three are with the game server')
  await server.start()
  const kills = await stored(daemon, 4)
  assertWhole(kills, 4)

  ;[ann, bob, eve] = await Promise.all(['Ann', 'Bob', 'Eve'].map(name => stage.join(name)))
  await ann.kill(bob)
  await server.stop('SIGKILL') // with kills that are stored but may still be in the spool
  await server.start()
  heard.push(...eve.lines)
  eve = await stage.join('Eve')
  await until(() => eve.tag('Eve') === null, 'Eve is back')
  await stored(daemon, 5)
  await sleep(1000)
  assertWhole(await daemon.kills(), 5)
  heard.push(...eve.lines)
  const news = heard.filter(line => /^[★▲▼] /.test(line))
  assert.equal(new Set(news).size, news.length, `told twice: ${JSON.stringify(news)}`)
  assert.equal(news.filter(line => line.startsWith('★')).length, 2)
})
