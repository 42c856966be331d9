'use strict'
// A game server that players can join, with the mod in it. As a script it is that server; as a module it starts one
// in a process of its own, which tests can kill.

const fs = require('node:fs')
const path = require('node:path')
const { start, end, until } = require('./children')

const REPAIRS = path.join(__dirname, 'squid-repairs.js')
const MOD = 'adr-bridge-flying-squid'
const MOD_SOURCE = path.resolve(__dirname, '../../plugin_bridge/mods/flying_squid')

class GameServer {
  #child = null
  #answers = new Map()
  #serial = 0

  /** `mod`: settings of the mod. `fist` and `spread`: those of the repairs. */
  constructor ({ port, version = '1.20.1', mod, fist = 7, spread = 0 }) {
    this.port = port
    this.version = version
    this.settings = { port, version, mod, fist, spread }
  }

  async start () {
    assertModIsCurrent()
    this.#child = start(process.execPath, [__filename], { ipc: true, env: { CI: 'true', GAME_SERVER: JSON.stringify(this.settings) } })
    this.#child.on('message', ({ id, value }) => {
      this.#answers.get(id)?.(value)
      this.#answers.delete(id)
    })
    await until(() => {
      if (this.#child.exitCode !== null) throw new Error(`the game server ended:\n${this.output}`)
      return this.output.includes('game server ready')
    }, () => `the game server is ready:\n${this.output}`)
    return this
  }

  get output () {
    return this.#child?.output ?? ''
  }

  async stop (signal) {
    if (this.#child) await end(this.#child, signal)
    this.#child = null
  }

  /** A line typed into the console of the server. */
  console (line) {
    return this.#ask('console', line)
  }

  /** Lifts a player up, or drops it into the void. */
  lift (name, blocks) {
    return this.#ask('lift', name, blocks)
  }

  op (name, yes) {
    return this.#ask('op', name, yes)
  }

  #ask (what, ...args) {
    const id = ++this.#serial
    return new Promise(resolve => {
      this.#answers.set(id, resolve)
      this.#child.send({ id, what, args })
    })
  }
}

/** npm copies the mod; a copy that is older than the source would test the wrong thing. */
function assertModIsCurrent () {
  for (const name of fs.readdirSync(MOD_SOURCE).filter(name => name.endsWith('.js'))) {
    const copy = path.join(__dirname, 'node_modules', MOD, name)
    if (!fs.existsSync(copy) || !fs.readFileSync(copy).equals(fs.readFileSync(path.join(MOD_SOURCE, name)))) {
      throw new Error(`${name} of the installed mod is not the one in this checkout: run "npm ci" in ${__dirname}`)
    }
  }
}

function serve ({ port, version, mod, fist, spread }) {
  const serv = require('flying-squid').createMCServer({
    motd: 'adr-bridge test server',
    host: '127.0.0.1',
    port,
    version,
    'max-players': 40,
    'online-mode': false,
    logging: false,
    gameMode: 0,
    difficulty: 1,
    worldFolder: undefined, // nothing is saved
    generation: { name: 'superflat', options: {} },
    kickTimeout: 20000,
    plugins: { [REPAIRS]: { fist, spread }, [MOD]: mod },
    modpe: false,
    'view-distance': 2,
    'player-list-text': { header: { text: '' }, footer: { text: '' } },
    'everybody-op': false,
    'max-entities': 100,
    // Whoever asks for the status of the server also gets the names of the players.
    beforePing: response => {
      response.players.sample = serv.players.map(player => ({ name: player.username, id: player.uuid }))
      return response
    }
  })
  const actions = {
    console: line => serv.handleCommand(line),
    lift: (name, blocks) => {
      const player = serv.getPlayer(name)
      player.teleport(player.position.offset(0, blocks, 0))
    },
    op: (name, yes) => { serv.getPlayer(name).op = yes }
  }
  process.on('message', async ({ id, what, args }) => {
    await actions[what](...args)
    process.send({ id, value: true })
  })
  process.on('disconnect', () => process.exit(0)) // whoever started this is gone
  process.on('SIGTERM', () => process.exit(0))
  serv.once('ready', () => console.log('game server ready'))
}

if (require.main === module) serve(JSON.parse(process.env.GAME_SERVER))

module.exports = { GameServer }
