'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { until } = require('./children')
const { setUp } = require('./stage')

test('commands in the chat of the game', async t => {
  const { daemon, server, bots: [ann, bob] } = await setUp(t, { players: ['Ann', 'Bob'] })

  await t.test('/rank tells a newcomer that there is nothing to tell yet', async () => {
    await ann.ask('/rank', /^Ann has no rated fights yet/)
  })

  await ann.kill(bob)
  await until(async () => (await daemon.kills()).length === 1, 'the kill is stored')

  await t.test('/rank tells the own tier and rating', async () => {
    const lines = await ann.ask('/rank', /^Kills 1, deaths 0/)
    assert.match(lines[0], /^\[[HML]T[1-5]\] Ann: rating \d+ ± \d+, rank #1 of 2/)
  })

  await t.test('/rank <player> tells those of another one, whatever the letter case', async () => {
    const lines = await ann.ask('/rank bOB', /^Kills 0, deaths 1/)
    assert.match(lines[0], /^\[[HML]T[1-5]\] Bob: rating \d+ ± \d+, rank #2 of 2/)
    await ann.ask('/rank Nobody', /^Nobody called Nobody has fought here/)
  })

  await t.test('/rank top shows the leaderboard', async () => {
    const lines = await bob.ask('/rank top', /^#2 /)
    assert.match(lines[0], /^Leaderboard/)
    assert.match(lines[1], /^#1 \[[HML]T[1-5]\] Ann \d+/)
    assert.match(lines[2], /^#2 \[[HML]T[1-5]\] Bob \d+/)
  })

  await t.test('/rank help explains the words, and a page that is none gets its line of them', async () => {
    const help = await ann.ask('/rank help', /^\/rank top/)
    const lines = await ann.ask('/rank top of the world', /^\/rank top/)
    assert.match(lines[0], /^of the world is no page/)
    assert.equal(lines.length, 2)
    assert.ok(help.includes(lines[1]))
  })

  await t.test('/rankadmin is for operators', async () => {
    await ann.ask('/rankadmin status', /^You are not allowed/)
    await server.op('Ann', true)
    await ann.ask('/rankadmin status', /arena: /)
  })

  await t.test('the console may ask too', async () => {
    await server.console('rank top')
    await until(() => /#1 \[[HML]T[1-5]\] Ann \d+/.test(server.output), 'the leaderboard in the console')
    await server.console('rankadmin status')
    await until(() => /arena: /.test(server.output), 'the status in the console')
  })

  await t.test('the status tells how the game server itself is', async () => {
    daemon.configure({ servers: [{ name: 'arena', address: `127.0.0.1:${server.port}` }] })
    const seen = await until(async () => {
      const { servers } = JSON.parse(await daemon.command('status', '--json').catch(error => error.stdout))
      return servers.find(({ server, up, connected }) => server === 'arena' && up && connected)
    }, 'the game server is seen to be up')
    assert.equal(seen.version, '1.20.1')
    assert.equal(seen.players, 2)
    assert.ok(seen.latency > 0)
    await ann.ask('/rankadmin status', /^● arena: 2 players, version 1\.20\.1, \d+ ms/)
  })

  await t.test('without the daemon there is a polite line, and afterwards an answer again', async () => {
    await daemon.stop()
    await ann.ask('/rank', /^Ratings are not available at the moment/)
    await daemon.start()
    await until(async () => {
      const from = ann.lines.length
      ann.say('/rank')
      await until(() => ann.lines.length > from, 'any answer')
      return /rating \d+/.test(ann.lines[from])
    }, 'an answer')
  })
})
