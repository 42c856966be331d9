'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { mod } = require('./mod')

const { Attribution } = mod('./attribution.js')
const [ann, bob, cid] = ['ann', 'bob', 'cid'].map(name => ({ id: name, name: name.toUpperCase() }))
const WINDOW = 15

/** A fight told in short: every step names the second it happens in. */
class Fight {
  attribution = new Attribution()
  health = new Map()

  #harm (time, victim, damage, blow) {
    const before = this.health.get(victim.id) ?? 20
    const after = before - damage
    this.health.set(victim.id, after)
    return this.attribution.harm(victim, { blow, before, after, time, window: WINDOW })
  }

  hit (time, by, victim, damage = 4, { cause = 'attack', weapon = 'iron_sword' } = {}) {
    return this.#harm(time, victim, damage, { by, nobody: by.id === victim.id, cause, weapon })
  }

  suffer (time, victim, cause, damage = 100) {
    return this.#harm(time, victim, damage, { by: null, nobody: false, cause, weapon: null })
  }

  nobodys (time, victim, cause, damage = 100) {
    return this.#harm(time, victim, damage, { by: null, nobody: true, cause, weapon: null })
  }

  respawn (victim) {
    this.health.set(victim.id, 20)
  }

  quit (time, victim, combatLog = 'kill') {
    return this.attribution.quit(victim, { time, window: WINDOW, combatLog })
  }
}

const kill = (killer, victim, cause, weapon = 'iron_sword') => ({ type: 'kill', killer, victim, cause, weapon })
const death = (victim, cause) => ({ type: 'death', victim, cause })

test('the hit that takes the last health is the kill', () => {
  const fight = new Fight()
  assert.equal(fight.hit(0, ann, bob, 10), null)
  assert.deepEqual(fight.hit(1, ann, bob, 10), kill(ann, bob, 'attack'))
})

test('the one who hit last gets the kill, not the one who hit hardest', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob, 19)
  assert.deepEqual(fight.hit(1, cid, bob, 1), kill(cid, bob, 'attack'))
})

test('a projectile of a player is a kill with that cause', () => {
  assert.deepEqual(new Fight().hit(0, ann, bob, 20, { cause: 'projectile', weapon: 'bow' }), kill(ann, bob, 'projectile', 'bow'))
})

for (const cause of ['fall', 'void', 'lava', 'fire', 'drowning', 'other']) {
  test(`death by ${cause} soon after a hit is the kill of the one who hit`, () => {
    const fight = new Fight()
    fight.hit(0, ann, bob)
    assert.deepEqual(fight.suffer(14.9, bob, cause), kill(ann, bob, cause))
  })

  test(`death by ${cause} without a hit is nobody's kill`, () => {
    assert.deepEqual(new Fight().suffer(3, bob, cause), death(bob, cause))
  })
}

test('the combat window is closed right after its last moment', () => {
  const [inside, outside] = [new Fight(), new Fight()]
  inside.hit(100, ann, bob)
  outside.hit(100, ann, bob)
  assert.equal(inside.suffer(115, bob, 'void').type, 'kill')
  assert.equal(outside.suffer(115.01, bob, 'void').type, 'death')
})

test('a death past the 100 ticks that a game remembers, and inside the window, is a kill', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  assert.deepEqual(fight.suffer(101 / 20, bob, 'void'), kill(ann, bob, 'void'))
})

test('who fled and is killed on return, as a stand-in was meanwhile, died once', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  assert.deepEqual(fight.quit(1, bob), kill(ann, bob, 'combat_log'))
  fight.attribution.joined(bob, { time: 600, window: WINDOW })
  assert.equal(fight.hit(601, cid, bob, 20), null, 'the same fight goes on')
  fight.respawn(bob)
  assert.deepEqual(fight.hit(602, cid, bob, 20), kill(cid, bob, 'attack'), 'a life of its own')
})

test('who fled and is killed long after the return was in another fight', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  fight.quit(1, bob)
  fight.attribution.joined(bob, { time: 2, window: WINDOW })
  assert.deepEqual(fight.hit(2 + WINDOW, cid, bob, 20), kill(cid, bob, 'attack'))
})

test('a later hit opens the window anew', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  fight.hit(14, ann, bob)
  assert.equal(fight.suffer(28, bob, 'fall').type, 'kill')
})

test('a death clears the record: the next one is not credited', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob, 20)
  fight.respawn(bob)
  assert.deepEqual(fight.suffer(2, bob, 'fall'), death(bob, 'fall'))
})

test('five hits on a dead player are one kill', () => {
  const fight = new Fight()
  assert.equal(fight.hit(0, ann, bob, 20).type, 'kill')
  for (let n = 1; n <= 5; n++) assert.equal(fight.hit(n, cid, bob), null)
  fight.respawn(bob)
  assert.deepEqual(fight.suffer(6, bob, 'void'), death(bob, 'void'), 'nor do they count after the respawn')
})

test('a body that goes on burning dies once', () => {
  const fight = new Fight()
  const events = Array.from({ length: 20 }, (_, n) => fight.suffer(n / 10, bob, 'fire', 20)).filter(Boolean)
  assert.deepEqual(events, [death(bob, 'fire')])
})

test('a hit that does no damage does not open the window', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob, 0)
  assert.equal(fight.suffer(1, bob, 'fall').type, 'death')
})

test('a hit that heals does not open the window', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob, -3)
  assert.equal(fight.suffer(1, bob, 'fall').type, 'death')
})

test('own hits are nothing', () => {
  const fight = new Fight()
  fight.hit(0, bob, bob)
  assert.equal(fight.suffer(1, bob, 'fall').type, 'death')
})

test('a death by one\'s own arrow is nobody\'s kill, even in a fight', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  assert.deepEqual(fight.hit(1, bob, bob, 100, { cause: 'projectile' }), death(bob, 'projectile'))
})

test('/kill by an admin is nobody\'s kill, even in a fight', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  assert.deepEqual(fight.nobodys(1, bob, 'command'), death(bob, 'command'))
  fight.respawn(bob)
  assert.equal(fight.suffer(2, bob, 'fall').type, 'death', 'and it clears the record')
})

test('leaving in a fight is a kill of the one who hit last', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  fight.hit(1, cid, bob)
  assert.deepEqual(fight.quit(10, bob), kill(cid, bob, 'combat_log'))
  assert.equal(fight.quit(11, bob), null, 'once')
})

test('leaving in a fight is nothing where the admin says so', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  assert.equal(fight.quit(1, bob, 'ignore'), null)
})

test('leaving after the window is nothing', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  assert.equal(fight.quit(15.5, bob), null)
})

test('leaving while dead is no second death', () => {
  const fight = new Fight()
  assert.equal(fight.hit(0, ann, bob, 20).type, 'kill')
  fight.hit(1, cid, bob)
  assert.equal(fight.quit(2, bob), null)
})

test('who leaves and comes back has no old hits', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  fight.quit(1, bob, 'ignore')
  fight.attribution.joined(bob, { time: 2, window: WINDOW })
  assert.deepEqual(fight.suffer(3, bob, 'fall'), death(bob, 'fall'))
})

test('who is sent away in a fight has not fled', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  fight.attribution.forget(bob)
  assert.equal(fight.quit(1, bob), null)
})

test('the killer may be dead or gone by the time its victim falls', () => {
  const fight = new Fight()
  fight.hit(0, ann, bob)
  fight.hit(1, cid, ann, 20)
  fight.quit(2, ann)
  assert.deepEqual(fight.suffer(5, bob, 'void'), kill(ann, bob, 'void'))
})

test('health that is no number kills nobody', () => {
  const attribution = new Attribution()
  const blow = { by: ann, nobody: false, cause: 'attack', weapon: null }
  for (const [before, after] of [[NaN, 0], [20, NaN], [undefined, 0], [20, undefined]]) {
    assert.equal(attribution.harm(bob, { blow, before, after, time: 0, window: WINDOW }), null)
  }
})
