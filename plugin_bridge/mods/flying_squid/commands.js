'use strict'
// /rank, /rankadmin and /event: the words go to the daemon, its lines come back. What they mean is the daemon's business.

const { command } = require('./packets')

const ANSWER_MS = 5000
const COMMANDS = [
  ['rank', 'Your rating, and those of others'],
  ['rankadmin', 'Ratings, for admins'],
  ['event', 'The event that is on, and taking part in it']
]
const PLAYER_PERMISSIONS = ['adrbridge.rank', 'adrbridge.rank.others', 'adrbridge.top']
const ADMIN = 'adrbridge.admin'
const NO_ANSWER = { text: 'Ratings are not available at the moment. Please try again later.', color: 'red' }

/** May this player do, or see, what the permission is for? flying-squid only knows operators. */
function allowed (player, permission) {
  return player.op ? true : PLAYER_PERMISSIONS.includes(permission)
}

class Commands {
  #open = new Map() // id -> {player or null, timer}
  #serial = 0

  /**
   * `send(packet)` returns false when there is no link. `identify(player)` gives {id, name, world}.
   * `answer(player or null, lines)` shows lines; null is the console.
   */
  constructor ({ send, identify, answer, patience = ANSWER_MS }) {
    Object.assign(this, { send, identify, answer, patience })
  }

  register (serv, log) {
    for (const [base, info] of COMMANDS) {
      if (serv.commands.hash[base]) log.warn(`another plugin has a command /${base}; it is replaced. /adr:${base} is there too`)
      serv.commands.add({
        base,
        aliases: [`adr:${base}`],
        info,
        usage: `/${base} help`,
        tab: ['player'],
        action: (rest, { player } = {}) => this.run([base, ...String(rest).split(/\s+/).filter(Boolean)], player ?? null)
      })
    }
  }

  run (words, player) {
    const id = `c${(++this.#serial).toString(36)}`
    const sender = player && this.identify(player)
    const sent = this.send(command({
      id,
      sender,
      world: sender && sender.world,
      words,
      permissions: [...PLAYER_PERMISSIONS, ...(!player || player.op ? [ADMIN] : [])]
    }))
    if (!sent) return this.answer(player, [NO_ANSWER])
    const timer = setTimeout(() => this.#close(id, [NO_ANSWER]), this.patience).unref()
    this.#open.set(id, { player, timer })
  }

  reply ({ id, lines }) {
    this.#close(id, lines)
  }

  /** The daemon could not make sense of a command. */
  failed ({ id }) {
    this.#close(id, [NO_ANSWER])
  }

  #close (id, lines) {
    const open = this.#open.get(id)
    if (!open) return
    this.#open.delete(id)
    clearTimeout(open.timer)
    this.answer(open.player, lines)
  }
}

module.exports = { Commands, allowed }
