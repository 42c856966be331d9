'use strict'
// Who killed whom. Nothing but values: players are {id, name}, time is an argument in seconds, and what comes out
// is the event to report or null.
//
// A blow is the way in which somebody lost health:
//   by      the player who did it, or null
//   nobody  true when it can be no one's kill: the victim's own doing, a mob's, an admin's command
//   cause   a key of the contract, such as 'attack', 'fall' or 'void'
//   weapon  what `by` held, or null

class Attribution {
  /** id of a player -> the last damaging hit by another player: {by, weapon, time}. */
  #hits = new Map()
  /** id of a player who fled and was taken for dead -> until when that is its only death. */
  #fled = new Map()

  /**
   * A player's health went from `before` down to `after`.
   * Returns a kill, a death, or null while the player lives. Blows to the dead count for nothing.
   */
  harm (victim, { blow, before, after, time, window }) {
    if (!(before > 0) || !(after < before)) return null
    const by = blow.by && blow.by.id !== victim.id ? blow.by : null
    if (by) this.#hits.set(victim.id, { by, weapon: blow.weapon ?? null, time })
    if (after > 0) return null

    const hit = blow.nobody || (blow.by && !by) ? null : this.#within(victim.id, time, window)
    const died = time < this.#fled.get(victim.id) // in the fight it fled from
    this.forget(victim)
    if (died) return null
    if (!hit) return { type: 'death', victim, cause: blow.cause }
    return { type: 'kill', killer: hit.by, victim, cause: blow.cause, weapon: hit.weapon }
  }

  /**
   * A player left by its own will. Returns a kill if it fled from a fight, else null.
   * Those who were sent away (kick, ban, the server stopping) go through `forget` instead.
   */
  quit (victim, { time, window, combatLog }) {
    const hit = combatLog === 'kill' ? this.#within(victim.id, time, window) : null
    this.forget(victim)
    if (hit) this.#fled.set(victim.id, Infinity)
    return hit && { type: 'kill', killer: hit.by, victim, cause: 'combat_log', weapon: hit.weapon }
  }

  /** A player came. Who had fled has died in that fight already: a second death within the window is none. */
  joined ({ id }, { time, window }) {
    if (this.#fled.has(id)) this.#fled.set(id, time + window)
  }

  forget (victim) {
    this.#hits.delete(victim.id)
    this.#fled.delete(victim.id)
  }

  #within (id, time, window) {
    const hit = this.#hits.get(id)
    return hit && time - hit.time <= window ? hit : null
  }
}

module.exports = { Attribution }
