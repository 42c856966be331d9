'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { until } = require('./children')
const { setUp } = require('./stage')

const LABEL = /^\[[HML]T[1-5]\] $/

for (const version of ['1.20.1', '1.21.1']) {
  test(`on ${version} a kill is rated, and everybody sees the labels of both, late joiners too`, async t => {
    const { daemon, bots: [ann, bob, eve], join } = await setUp(t, { version, players: ['Ann', 'Bob', 'Eve'] })
    assert.equal(eve.tab('Ann'), 'Ann')
    await ann.kill(bob)
    const [kill] = await until(async () => {
      const kills = await daemon.kills()
      return kills.length > 0 && kills
    }, 'the kill is stored')
    assert.deepEqual([kill.seq, kill.killer, kill.victim, kill.cause, kill.world, kill.reason], [1, 'Ann', 'Bob', 'attack', 'overworld', null])

    for (const name of ['Ann', 'Bob']) {
      await until(() => LABEL.test(eve.tag(name) ?? ''), () => `a third player sees a label over ${name}, not ${eve.tag(name)}`)
      await until(() => eve.tab(name) === eve.tag(name) + name, () => `${eve.tag(name)} in the tab list, not ${eve.tab(name)}`)
    }
    assert.equal(eve.tag('Eve'), null, 'who has not fought has none')

    const fay = await join('Fay')
    for (const name of ['Ann', 'Bob']) {
      await until(() => fay.tab(name) === eve.tab(name) && fay.tag(name) === eve.tag(name), () => `who joins late sees ${eve.tab(name)}, not ${fay.tab(name)}`)
    }

    const label = eve.tag('Bob')
    bob.quit()
    await until(() => eve.tab('Bob') === null && eve.tag('Bob') === null, 'who leaves takes its label along')
    await join('Bob')
    await until(() => eve.tab('Bob') === label + 'Bob' && eve.tag('Bob') === label, 'who comes back has it again')
    assert.deepEqual([ann, eve, fay].flatMap(bot => bot.problems), [])
  })
}
