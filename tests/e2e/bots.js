'use strict'
// Players that do as they are told: real clients over real connections.

const mineflayer = require('mineflayer')
const { until, sleep } = require('./children')

class Bot {
  lines = [] // of chat
  titles = [] // [kind, text]
  bars = []
  problems = []
  deaths = 0
  #stands = false // clients do not move for a moment after they respawn

  /** `respawn: false` makes one that stays dead until `respawn()`. */
  static async join ({ port, version }, name, { respawn = true } = {}) {
    const bot = new Bot()
    bot.name = name
    bot.client = mineflayer.createBot({
      host: '127.0.0.1', port, version, username: name, auth: 'offline', viewDistance: 'tiny', checkTimeoutInterval: 60000, hideErrors: true, respawn
    })
    bot.#listen()
    await until(() => bot.client.entity && bot.client.health > 0 && bot.client.player, () => `${name} joins ${bot.problems}`, 40000)
    return bot
  }

  #listen () {
    const { client } = this
    client.on('messagestr', (line, position) => { if (position !== 'game_info') this.lines.push(line) })
    client.on('actionBar', text => this.bars.push(text.toString()))
    client.on('title', (text, kind) => this.titles.push([kind, text]))
    client.on('death', () => {
      this.deaths++
      this.#stands = false
    })
    client.on('forcedMove', () => { this.#stands = true })
    client.on('error', error => this.problems.push(error.message))
    client.on('kicked', reason => this.problems.push(`kicked: ${JSON.stringify(reason)}`))
  }

  get alive () {
    return this.client.isAlive && this.client.health > 0
  }

  /** Unhurt and with both feet on the ground. */
  get fit () {
    return this.alive && this.client.health === 20 && this.#stands && this.client.entity.onGround
  }

  respawn () {
    this.client.respawn()
  }

  say (line) {
    this.client.chat(line)
  }

  /** The answer to a command: the lines that come after it, from the one that fits on. */
  async ask (command, expected) {
    const from = this.lines.length
    this.say(command)
    await until(() => this.lines.slice(from).some(line => expected.test(line)), () => `${command} is answered with ${expected}, not ${JSON.stringify(this.lines.slice(from))}`)
    return this.lines.slice(from)
  }

  /** What this player reads in the tab list; null for those who are not there. */
  tab (name) {
    return this.client.players[name]?.displayName?.toString() ?? null
  }

  /** What this player reads over somebody's head in front of the name; null without a team. */
  tag (name) {
    return this.client.teamMap[name]?.prefix?.toString() ?? null
  }

  /** One hit, if the other one can be seen. */
  hit (name) {
    const target = Object.values(this.client.entities).find(({ username }) => username === name)
    if (target) this.client.attack(target)
    return Boolean(target)
  }

  /** Hits until the other one has died, and waits until it is back. */
  async kill (victim) {
    const { deaths } = victim
    await until(() => this.alive && victim.alive, `${this.name} and ${victim.name} are alive`)
    await until(async () => {
      this.hit(victim.name)
      await sleep(80)
      return victim.deaths > deaths
    }, () => `${this.name} kills ${victim.name} ${this.problems} ${victim.problems}`, 40000)
    await until(() => victim.alive, `${victim.name} is back`)
  }

  /** Hits once and waits until it hurts. */
  async wound (victim) {
    await until(() => this.alive && victim.alive, `${this.name} and ${victim.name} are alive`)
    const { health } = victim.client
    await until(async () => {
      this.hit(victim.name)
      await sleep(150)
      return victim.client.health < health
    }, `${this.name} wounds ${victim.name}`)
  }

  quit () {
    this.client.quit()
  }

  /** Gone without a word, as when a cable is pulled. */
  vanish () {
    clearTimeout(this.client._client.closeTimer)
    this.client._client.socket?.destroy()
  }
}

module.exports = { Bot }
