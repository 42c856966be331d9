'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { until, sleep } = require('./children')
const { setUp } = require('./stage')

const FALL = 40
const INTO_THE_VOID = -120

test('who is credited for a death', async t => {
  const stage = await setUp(t, { players: ['Ann', 'Bob'], settings: { filters: { combat_window: '8s' } } })
  const { daemon, server, bots: [ann, bob] } = stage
  let seen = 0

  /** The events since the last call, as soon as there are as many. */
  async function next (count = 1) {
    const events = await until(async () => {
      const all = await daemon.events()
      return all.length >= seen + count && all.slice(seen)
    }, `${count} more event(s)`)
    seen += events.length
    return events.map(({ kind, cause, killer, victim }) => `${kind} ${cause} ${killer ?? '-'} ${victim}`)
  }
  const back = (bot = bob) => until(() => bot.fit, () => `${bot.name} is back, not ${bot.client.health} ${bot.client.entity.position}`)

  for (const [cause, blocks] of [['fall', FALL], ['void', INTO_THE_VOID]]) {
    await t.test(`a death by ${cause} without a hit is nobody's kill`, async () => {
      await back()
      await server.lift('Bob', blocks)
      assert.deepEqual(await next(), [`death ${cause} - Bob`])
    })

    await t.test(`a death by ${cause} after a hit is a kill`, async () => {
      await back()
      await ann.wound(bob)
      await server.lift('Bob', blocks)
      assert.deepEqual(await next(), [`kill ${cause} Ann Bob`])
    })
  }

  await t.test('a hit past the 100 ticks that games remember counts as long as the window is open', async () => {
    await back()
    await ann.wound(bob)
    await sleep(5200)
    await server.lift('Bob', INTO_THE_VOID)
    assert.deepEqual(await next(), ['kill void Ann Bob'])
  })

  await t.test('a hit that is longer ago than the window counts no more', async () => {
    await back()
    await ann.wound(bob)
    await sleep(8500)
    await server.lift('Bob', INTO_THE_VOID)
    assert.deepEqual(await next(), ['death void - Bob'])
  })

  await t.test('/kill by an admin is nobody\'s kill, even in a fight', async () => {
    await back()
    await ann.wound(bob)
    await server.console('kill Bob')
    assert.deepEqual(await next(), ['death command - Bob'])
  })

  await t.test('the weapon is told', async () => {
    await back()
    await server.console('give Ann diamond_sword')
    await until(() => ann.client.heldItem?.name === 'diamond_sword', 'Ann holds a sword')
    await ann.kill(bob)
    assert.deepEqual(await next(), ['kill attack Ann Bob'])
    assert.equal((await daemon.kills()).at(-1).weapon, 'diamond_sword')
  })

  await t.test('five hits on a dead player are one kill', async () => {
    const cid = await stage.join('Cid', { respawn: false })
    await back(cid)
    await until(async () => {
      ann.hit('Cid')
      await sleep(80)
      return cid.deaths > 0
    }, 'Cid is dead')
    for (let n = 0; n < 5; n++) {
      bob.hit('Cid')
      await sleep(100)
    }
    cid.respawn()
    await back(cid)
    await server.lift('Cid', INTO_THE_VOID)
    assert.deepEqual(await next(2), ['kill attack Ann Cid', 'death void - Cid'])
  })

  await t.test('who is kicked in a fight has not fled', async () => {
    const dan = await stage.join('Dan')
    await ann.wound(dan)
    await server.console('kick Dan')
    await until(() => bob.tab('Dan') === null, 'Dan is gone')
    await server.lift('Bob', INTO_THE_VOID)
    assert.deepEqual(await next(), ['death void - Bob'])
  })

  for (const [how, leave] of [['leaves', bot => bot.quit()], ['pulls the cable', bot => bot.vanish()]]) {
    await t.test(`who ${how} in a fight is killed by the one who hit last`, async () => {
      const name = how === 'leaves' ? 'Fay' : 'Gil'
      const bot = await stage.join(name)
      await ann.wound(bot)
      leave(bot)
      assert.deepEqual(await next(), [`kill combat_log Ann ${name}`])
    })
  }

  await t.test('who leaves in peace is not', async () => {
    const hal = await stage.join('Hal')
    hal.quit()
    await until(() => ann.tab('Hal') === null, 'Hal is gone')
    await ann.kill(bob)
    assert.deepEqual(await next(), ['kill attack Ann Bob'])
  })
})
