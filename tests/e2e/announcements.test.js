'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { until } = require('./children')
const { setUp } = require('./stage')

test('a new place in the tiers is told to everybody in chat, once', async t => {
  const { bots: [ann, bob, eve] } = await setUp(t, { players: ['Ann', 'Bob', 'Eve'], settings: { announcements: { placement: 'broadcast' } } })
  await ann.kill(bob)
  for (const name of ['Ann', 'Bob']) await until(() => eve.lines.some(line => line.startsWith(`★ ${name} is placed in`)), `${name} is placed`)

  const promotion = () => eve.lines.find(line => line.startsWith('▲ Ann is now'))
  for (let n = 0; n < 12 && !promotion(); n++) await ann.kill(bob)
  await until(promotion, () => `a promotion in ${JSON.stringify(eve.lines)}`)
  const tier = /▲ Ann is now (\[\w+\])/.exec(eve.lines.findLast(line => line.startsWith('▲ Ann')))[1]
  await until(() => eve.tag('Ann') === tier + ' ', () => `the label over Ann is ${tier}, not ${eve.tag('Ann')}`)

  const news = eve.lines.filter(line => /^[★▲▼] /.test(line))
  assert.equal(new Set(news).size, news.length, `nothing is told twice: ${JSON.stringify(news)}`)
  assert.equal(news.filter(line => line.startsWith('★')).length, 2)
  assert.deepEqual(ann.lines.filter(line => /^[★▲] /.test(line)), news.filter(line => /^[★▲] /.test(line)), 'all hear the same')
})
