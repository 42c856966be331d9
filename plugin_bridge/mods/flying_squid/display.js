'use strict'
// What players see: labels in the tab list and over heads, chat lines, action bars and titles.
//
// A label over a head is a scoreboard team with that one player in it. Clients sort the tab list by team name, so
// the name begins with the tier's index: the best come first, and those without a tier last, each by name.

const { join, plain, toNbt } = require('./text')

const REMEMBERED = 5000 // labels kept, those of players who left included
const RESET = 21 // team colour: the name keeps its own
const MODE = { create: 0, remove: 1, update: 2 }
const UNSORTED = 999

class Display {
  #labels = new Map() // id -> {prefix, index}
  #online = new Map() // id -> player, once it can see the world
  #teams = new Map() // id -> {name, index} of the team its clients know
  #named = new Set() // ids of those whose tab list name was set
  #serial = 0
  #show = { tab_list: true, name_tag: true }

  constructor (serv) {
    this.nbt = serv.supportFeature('chatPacketsUseNbtComponents')
    // The packets below have these names and fields since 1.19.3. On an older version only plain chat is sent.
    this.modern = serv.supportFeature('playerInfoActionIsBitfield')
  }

  // ---- labels

  /** What is to be shown changed. */
  settings (given) {
    if (given.tab_list === this.#show.tab_list && given.name_tag === this.#show.name_tag) return
    this.#show = given
    for (const id of this.#online.keys()) this.#draw(id)
  }

  label ({ player: id, prefix, index }) {
    const old = this.#labels.get(id)
    this.#labels.delete(id) // to the end of the line of those that may be forgotten
    this.#labels.set(id, { prefix: prefix ?? null, index: index ?? null })
    if (this.#online.has(id) && JSON.stringify(old?.prefix ?? null) !== JSON.stringify(prefix ?? null)) this.#draw(id)
    if (this.#labels.size > REMEMBERED) this.#forgetOne()
  }

  joined (id, player) {
    this.#online.set(id, player)
    for (const other of this.#teams.keys()) this.#writeTeam([player], other, MODE.create)
    this.#writeTab([player], [...this.#named])
    if (this.#labels.get(id)?.prefix) this.#draw(id)
  }

  left (id) {
    this.#named.delete(id) // the server takes the whole entry out of the tab list
    this.#online.delete(id)
    this.#removeTeam(id)
  }

  #forgetOne () {
    for (const id of this.#labels.keys()) {
      if (!this.#online.has(id)) return this.#labels.delete(id)
    }
  }

  #draw (id) {
    const { prefix, index } = this.#labels.get(id) ?? {}
    const everybody = [...this.#online.values()]
    const team = this.#teams.get(id)
    const wanted = Boolean(prefix) && this.#show.name_tag
    if (team && (!wanted || team.index !== index)) this.#removeTeam(id)
    if (wanted) {
      const mode = this.#teams.has(id) ? MODE.update : MODE.create
      if (mode === MODE.create) this.#teams.set(id, { name: this.#teamName(id, index), index })
      this.#writeTeam(everybody, id, mode)
    }
    // Clients put a team's prefix into the tab list too, unless the name there is set.
    const before = this.#named.has(id)
    if (prefix && (wanted || this.#show.tab_list)) this.#named.add(id)
    else this.#named.delete(id)
    if (before || this.#named.has(id)) this.#writeTab(everybody, [id])
  }

  /** At most 16 characters, as old clients want it; the running number keeps two players' names apart. */
  #teamName (id, index) {
    const name = this.#online.get(id).username.toLowerCase().slice(0, 7)
    const place = String(Math.min(index ?? UNSORTED, UNSORTED)).padStart(3, '0')
    return `${place}${name}.${(++this.#serial % 36 ** 5).toString(36)}`
  }

  #removeTeam (id) {
    const team = this.#teams.get(id)
    if (!team) return
    this.#teams.delete(id)
    this.#write(this.#online.values(), 'teams', { team: team.name, mode: MODE.remove })
  }

  #writeTeam (players, id, mode) {
    const name = this.#online.get(id).username
    this.#write(players, 'teams', {
      team: this.#teams.get(id).name,
      mode,
      name: this.#encode({ text: name }),
      friendlyFire: 1,
      nameTagVisibility: 'always',
      collisionRule: 'always',
      formatting: RESET,
      prefix: this.#encode(this.#labels.get(id).prefix),
      suffix: this.#encode({ text: '' }),
      players: [name]
    })
  }

  #writeTab (players, ids) {
    if (ids.length === 0) return
    this.#write(players, 'player_info', {
      action: { update_display_name: true },
      data: ids.map(id => ({ uuid: this.#online.get(id).uuid, displayName: this.#tabName(id) }))
    })
  }

  #tabName (id) {
    if (!this.#named.has(id)) return undefined // back to what the client makes of it
    const name = { text: this.#online.get(id).username }
    return this.#encode(this.#show.tab_list ? join(this.#labels.get(id).prefix, name) : name)
  }

  // ---- lines

  /** Shows a text to players. `where` is 'chat', 'action_bar' or 'title'; a subtitle goes with a title only. */
  show (players, { where, text, subtitle }) {
    if (!this.modern) {
      for (const player of players) player.chat(plain(text))
    } else if (where === 'title') {
      this.#write(players, 'set_title_time', { fadeIn: 10, stay: 70, fadeOut: 20 })
      this.#write(players, 'set_title_subtitle', { text: this.#encode(subtitle ?? { text: '' }) })
      this.#write(players, 'set_title_text', { text: this.#encode(text) })
    } else {
      this.#write(players, 'system_chat', { content: this.#encode(text), isActionBar: where === 'action_bar' })
    }
  }

  #encode (component) {
    return this.nbt ? toNbt(component) : JSON.stringify(component)
  }

  #write (players, name, fields) {
    if (!this.modern) return
    for (const player of players) if (!player.disconnected) player._client.write(name, fields)
  }
}

module.exports = { Display }
