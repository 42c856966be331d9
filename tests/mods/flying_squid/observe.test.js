'use strict'
const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { test } = require('node:test')
const { mod } = require('./mod')

const { observe } = mod('./observe.js')

/** As much of flying-squid as deals with damage, and what the mod makes of it. */
function setUp (...names) {
  const serv = Object.assign(new EventEmitter(), { commands: { use: async action => action() } })
  const seen = []
  const name = player => player?.username ?? null
  observe(serv, {
    joined: player => seen.push(['joined', name(player)]),
    left: (player, { sentAway }) => seen.push(['left', name(player), sentAway]),
    moved: player => seen.push(['moved', name(player)]),
    harmed: (player, blow) => seen.push([name(blow.by), blow.cause, name(player), { nobody: blow.nobody, weapon: blow.weapon, health: [blow.before, blow.after] }])
  })
  const players = names.map(username => {
    const player = Object.assign(new EventEmitter(), { username, type: 'player', health: 20, heldItemSlot: 2, inventory: { slots: [] }, _client: {} })
    player.updateHealth = health => { player.health = health }
    player.takeDamage = ({ damage = 1 }) => player.updateHealth(player.health - damage)
    player.kick = () => player.emit('disconnected')
    serv.emit('newPlayer', player)
    return player
  })
  return { serv, seen, players }
}

/** What flying-squid does for a press of the attack button. */
function attack (player, victim, { damage = 7, cancelled = false } = {}) {
  const hit = { attackedEntity: victim, damage }
  player.emit('attack', hit, cancelled)
  if (!cancelled) victim.takeDamage(hit)
}

const blow = (by, cause, victim, rest) => [by, cause, victim, { nobody: false, weapon: null, health: [20, 13], ...rest }]

test('a hit with the attack button is told with the item in the hand', () => {
  const { seen, players: [ann, bob] } = setUp('Ann', 'Bob')
  ann.inventory.slots[38] = { name: 'diamond_sword' }
  attack(ann, bob)
  assert.deepEqual(seen, [blow('Ann', 'attack', 'Bob', { weapon: 'diamond_sword' })])
})

test('a cancelled hit and one without damage are not told', () => {
  const { seen, players: [ann, bob] } = setUp('Ann', 'Bob')
  attack(ann, bob, { cancelled: true })
  attack(ann, bob, { damage: 0 })
  bob.updateHealth(20)
  assert.deepEqual(seen, [])
})

test('a plugin that reduces a hit, or prevents it, is heard', () => {
  const { seen, players: [ann, bob] } = setUp('Ann', 'Bob')
  const { takeDamage } = bob
  bob.takeDamage = options => takeDamage({ ...options, damage: options.damage - 5 }) // armour
  attack(ann, bob)
  bob.takeDamage = () => {} // a safe zone
  attack(ann, bob)
  assert.deepEqual(seen, [blow('Ann', 'attack', 'Bob', { health: [20, 18] })])
})

test('what another plugin says about its damage is told', () => {
  const { seen, players: [ann, bob] } = setUp('Ann', 'Bob')
  bob.takeDamage({ damage: 7, cause: 'projectile', by: ann, weapon: 'bow' })
  bob.takeDamage({ damage: 1, cause: 'fall' })
  bob.takeDamage({ damage: 1, by: ann })
  assert.deepEqual(seen, [
    blow('Ann', 'projectile', 'Bob', { weapon: 'bow' }),
    blow(null, 'fall', 'Bob', { health: [13, 12] }),
    blow('Ann', 'other', 'Bob', { health: [12, 11] })
  ])
})

test('damage that nobody explains has the cause "other"', () => {
  const { seen, players: [bob] } = setUp('Bob')
  bob.takeDamage({ damage: 7 })
  bob.updateHealth(0)
  bob.takeDamage({ damage: 1, cause: 'two words' })
  assert.deepEqual(seen.map(([, cause]) => cause), ['other', 'other', 'other'])
})

test('damage by a command, a mob, an NPC or oneself can be nobody\'s kill', () => {
  const { serv, seen, players: [ann, bob] } = setUp('Ann', 'Bob')
  serv.commands.use(() => bob.takeDamage({ damage: 1 }))
  bob.takeDamage({ damage: 1, cause: 'attack', by: { type: 'mob' } })
  bob.takeDamage({ damage: 1, cause: 'attack', by: { type: 'player', username: 'Dummy' } })
  attack(bob, bob, { damage: 1 })
  serv.commands.use(() => bob.takeDamage({ damage: 1, cause: 'magic', by: ann }))
  bob.takeDamage({ damage: 1, cause: 'fall' })
  assert.deepEqual(seen.map(([by, cause, , { nobody }]) => [by, cause, nobody]), [
    [null, 'command', true], [null, 'attack', true], [null, 'attack', true], ['Bob', 'attack', true],
    ['Ann', 'magic', false], [null, 'fall', false]
  ])
})

test('damage that answers damage is told apart from it', () => {
  const { seen, players: [ann, bob] } = setUp('Ann', 'Bob')
  const { takeDamage } = bob
  bob.takeDamage = options => {
    ann.takeDamage({ damage: 2, cause: 'thorns', by: bob })
    takeDamage(options)
  }
  attack(ann, bob)
  assert.deepEqual(seen, [blow('Bob', 'thorns', 'Ann', { health: [20, 18] }), blow('Ann', 'attack', 'Bob')])
})

test('who is kicked was sent away, who leaves was not', () => {
  const { seen, players: [ann, bob] } = setUp('Ann', 'Bob')
  ann.emit('spawned')
  ann.emit('change_world')
  ann.kick()
  bob.emit('disconnected')
  assert.deepEqual(seen, [['joined', 'Ann'], ['moved', 'Ann'], ['left', 'Ann', true], ['left', 'Bob', false]])
})
