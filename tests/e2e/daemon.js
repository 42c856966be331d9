'use strict'
// The real daemon, with its own config file and database in a folder of its own.

const { execFile } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { promisify } = require('node:util')
const { start, end, until, freePort } = require('./children')

const HOME = path.resolve(__dirname, '../..')
const PYTHON = process.env.ADR_PYTHON || path.join(HOME, '.venv', 'bin', 'python')
const run = promisify(execFile)

/** Everybody is placed by the first fight, one good fight is a promotion, and nobody has to wait between two kills. */
const QUICK = {
  rating: { preset: 'consistent', parameters: { n_min: 1, sigma_place: 400, h_req: 5, t_cooldown: 0, p_min: 2 } }
}

const EVENTS = `
import json, sqlite3, sys
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
db.row_factory = sqlite3.Row
rows = db.execute('''
  SELECT e.seq, l.server, l.spool, e.kind, e.cause, e.weapon, e.world, e.time, o.reason,
         k.name AS killer, v.name AS victim
  FROM events e JOIN lanes l USING (lane) LEFT JOIN outcomes o USING (position)
  LEFT JOIN people k ON k.player = e.killer LEFT JOIN people v ON v.player = e.victim
  WHERE l.server <> '' ORDER BY position''')
print(json.dumps([dict(row) for row in rows]))
`

class Daemon {
  #child = null

  constructor (folder, port) {
    this.folder = folder
    this.port = port
    this.url = `ws://127.0.0.1:${port}/`
    this.config = path.join(folder, 'config.yml')
    this.database = path.join(folder, 'ratings.sqlite3')
  }

  /** A daemon that listens on a free port. `settings` go into config.yml on top of those that make ratings move fast. */
  static async start (folder, settings = {}) {
    const daemon = new Daemon(folder, await freePort())
    daemon.configure(settings)
    await daemon.start()
    return daemon
  }

  /** Writes config.yml; JSON is YAML too. A running daemon reads it again by itself. */
  configure (settings = {}) {
    fs.writeFileSync(this.config, JSON.stringify({
      listen: { host: '127.0.0.1', port: this.port },
      storage: { database: this.database },
      servers: [],
      ...QUICK,
      ...settings
    }, null, 2))
  }

  async start () {
    this.#child = start(PYTHON, ['-m', 'plugin_bridge', 'serve', '--config', this.config], { cwd: HOME, env: { PYTHONUNBUFFERED: '1' } })
    await until(() => {
      if (this.#child.exitCode !== null) throw new Error(`the daemon ended:\n${this.output}`)
      return this.output.includes('ready')
    }, () => `the daemon is ready:\n${this.output}`)
  }

  async stop (signal) {
    if (this.#child) await end(this.#child, signal)
    this.#child = null
  }

  get output () {
    return this.#child?.output ?? ''
  }

  async token (server) {
    return JSON.parse(await this.command('server', 'add', server, '--json')).token
  }

  /** What the command line tool prints. */
  async command (...args) {
    const { stdout } = await run(PYTHON, ['-m', 'plugin_bridge', ...args, '--config', this.config], { cwd: HOME })
    return stdout
  }

  /** The event log in order: {seq, server, spool, kind, cause, weapon, world, killer, victim, reason}; no reason: rated. */
  async events () {
    const { stdout } = await run(PYTHON, ['-c', EVENTS, this.database])
    return JSON.parse(stdout)
  }

  async kills () {
    return (await this.events()).filter(({ kind }) => kind === 'kill')
  }
}

module.exports = { Daemon }
