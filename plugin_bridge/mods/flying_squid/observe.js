'use strict'
// What happens on the server, told as a few plain calls. Nothing is changed for players: every wrapper hands all it
// is given to what it wraps and returns what comes back.
//
// flying-squid has no event for damage or death. All damage ends in player.updateHealth, so that is wrapped; who did
// it is known one step earlier, in player.takeDamage, so that is wrapped too. Its options may carry, from any plugin,
//   by      the entity that did it; a hit with the attack button is filled in here
//   cause   a word such as 'fall', 'void' or 'projectile'
//   weapon  name of the item, if it is not what the killer holds

const KEY = /^[\w.:-]{1,64}$/

/**
 * Calls `sink.joined(player)`, `sink.left(player, {sentAway})`, `sink.moved(player)` when it changes worlds, and
 * `sink.harmed(player, {by, nobody, cause, weapon, before, after})`, where `by` is a player or null.
 */
function observe (serv, sink) {
  let commands = 0 // how many commands are running at this moment
  let blow = null // what is being done by the takeDamage that is running at this moment
  const sentAway = new WeakSet()

  // Damage that a command does, and that nobody signed, is an admin's: /kill and its kind.
  around(serv.commands, 'use', call => {
    commands++
    try {
      return call()
    } finally {
      commands--
    }
  })

  serv.on('newPlayer', player => {
    player.on('attack', (hit, cancelled) => {
      if (!cancelled && hit && hit.by === undefined) hit.by = player
    })
    around(player, 'takeDamage', (call, options) => {
      const outer = blow
      blow = { victim: player, options: options || {} }
      try {
        return call()
      } finally {
        blow = outer
      }
    })
    around(player, 'updateHealth', call => {
      const before = player.health
      const result = call()
      const after = player.health
      if (after < before) {
        const options = blow && blow.victim === player ? blow.options : {}
        sink.harmed(player, { ...describe(player, options, commands > 0), before, after })
      }
      return result
    })
    // A player who is kicked or banned, or is there when the server stops, did not choose to leave.
    around(player, 'kick', call => {
      sentAway.add(player)
      return call()
    })
    player.on('spawned', () => sink.joined(player))
    player.on('change_world', () => sink.moved(player))
    player.on('disconnected', () => sink.left(player, { sentAway: sentAway.has(player) }))
  })
}

function describe (victim, { by, cause, weapon, attackedEntity }, inCommand) {
  const killer = by?.type === 'player' && by._client ? by : null // not an NPC that looks like a player
  const known = typeof cause === 'string' && KEY.test(cause) ? cause : null
  return {
    by: killer,
    nobody: by ? !killer || killer === victim : inCommand,
    cause: known || (attackedEntity && killer ? 'attack' : !by && inCommand ? 'command' : 'other'),
    weapon: weapon ?? (killer && held(killer))
  }
}

function held (player) {
  return player.inventory?.slots?.[36 + player.heldItemSlot]?.name ?? null
}

function around (object, name, wrapper) {
  const inner = object[name]
  object[name] = function (...args) {
    return wrapper(() => inner.apply(this, args), ...args)
  }
}

module.exports = { observe }
