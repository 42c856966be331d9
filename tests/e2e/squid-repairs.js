'use strict'
// flying-squid 1.12.0 is not quite a game: players cannot fall to death, fall out of the world, respawn or see each
// other's names. This plugin repairs what fights need, for tests and demonstrations only. It hurts players the way
// any plugin should for the mod to know why: takeDamage({ damage, cause }).
//
// Settings: `fist`, the damage of a hit without a weapon (1); `spread`, how many blocks around the middle players
// begin (0).

const { Vec3 } = require('vec3')

const SPAWN = new Vec3(8.5, 5, 8.5) // on the grass of a superflat world
const WEAPONS = { wooden_sword: 4, stone_sword: 5, iron_sword: 6, diamond_sword: 7, netherite_sword: 8 }
const REACH = 6
const SAFE_FALL = 3.5
const VOID = -80

module.exports.server = function (serv) {
  const { fist = 1, spread = 0 } = Object.values(serv.plugins).find(plugin => plugin.server === module.exports.server).settings
  const listed = new WeakSet() // players that the others have been told of
  const offset = () => spread * (2 * Math.random() - 1)
  const begin = () => SPAWN.offset(offset(), 0, offset())
  serv.once('asap', () => {
    serv.getSpawnPoint = async () => begin() // else anywhere within 30 blocks
    serv.playSound = () => {} // its packet cannot be read by clients since 1.19.3
    hideHalfJoined(serv, listed)
  })
  serv.on('newEntity', entity => typePlayer(serv, entity))
  serv.on('newPlayer', player => {
    tellWhoIsThere(serv, listed)
    fight(player, fist)
    fall(player)
    respawn(serv, player, begin)
  })
}

/** Since 1.20.2 players would be spawned as entity type 0, whatever that is. */
function typePlayer (serv, entity) {
  if (entity.type !== 'player') return
  entity.entityType = serv.registry.entitiesByName.player.id
  entity.velocity = new Vec3(0, 0, 0)
}

/** Whoever moves while somebody joins would meet a player without a name, and the two would never see each other. */
function hideHalfJoined (serv, listed) {
  const { getNearbyEntities } = serv
  serv.getNearbyEntities = area => getNearbyEntities(area).filter(entity => entity.type !== 'player' || listed.has(entity))
}

/** The list of players goes to all but the one who joins, and leaving is told in a packet that means nothing. */
function tellWhoIsThere (serv, listed) {
  const action = { add_player: true, update_game_mode: true, update_listed: true, update_latency: true }
  const entry = player => ({
    uuid: player.uuid,
    player: { name: player.username, properties: player.profileProperties ?? [] },
    gamemode: player.gameMode,
    listed: 1,
    latency: player._client.latency ?? 0
  })
  serv._sendPlayerList = joiner => {
    joiner._client.write('player_info', { action, data: serv.players.map(entry) })
    joiner._writeOthers('player_info', { action, data: [entry(joiner)] })
    listed.add(joiner)
  }
  serv._sendPlayerEventLeave = player => player._writeOthers('player_remove', { players: [player.uuid] })
}

/** Hits have reach, weapons and a knock-back that fits into its packet. The dead do not hit; they can be hit, as ever. */
function fight (player, fist) {
  player.on('attack_cancel', (hit, cancel) => {
    const victim = hit.attackedEntity
    const way = victim.position.minus(player.position)
    if (player.health <= 0 || way.norm() > REACH) return cancel(false)
    const flat = new Vec3(way.x, 0, way.z)
    hit.velocity = flat.scaled(0.02 / (flat.norm() || 1)).offset(0, 0.02, 0)
    hit.damage = WEAPONS[player.inventory.slots[36 + player.heldItemSlot]?.name] ?? fist
  })
}

/** Falling hurts from four blocks on, and nobody comes back from the void. */
function fall (player) {
  let top = null // the highest point since the ground was left
  player.on('move', ({ position, onGround, teleport }) => {
    if (teleport || player.health <= 0) {
      top = null
    } else if (position.y < VOID) {
      player.takeDamage({ damage: 1000, cause: 'void' })
    } else {
      const height = top === null ? 0 : top - position.y
      top = onGround || top === null ? position.y : Math.max(top, position.y)
      if (onGround && height > SAFE_FALL) player.takeDamage({ damage: Math.ceil(height - 3), cause: 'fall' })
    }
  })
}

/** The request is decoded as a word where flying-squid expects a number, and its answer has fields of older versions. */
function respawn (serv, player, begin) {
  player._client.on('client_command', ({ actionId, payload }) => {
    if ((actionId ?? payload) !== 'perform_respawn' || player.health > 0) return
    player.behavior('requestRespawn', {}, () => {
      player._client.write('respawn', respawnFields(serv, player))
      player.position = begin()
      player.knownPosition = player.position
      player.sendSelfPosition()
      player.updateHealth(20)
      for (const other of player.nearbyPlayers()) {
        other.despawnEntities([player]) // the body
        other.spawnEntity(player)
      }
    })
  })
}

function respawnFields (serv, player) {
  const { worldState, worldType } = serv.registry.loginPacket
  if (worldState) return { worldState: { ...worldState, gamemode: 'survival', death: undefined }, copyMetadata: 0 }
  return {
    dimension: worldType,
    worldName: serv.dimensionNames[0],
    hashedSeed: serv.hashedSeed,
    gamemode: player.gameMode,
    previousGamemode: 255,
    isDebug: false,
    isFlat: true,
    copyMetadata: true, // the world is the same, so clients keep its chunks
    death: undefined,
    portalCooldown: 0
  }
}
