'use strict'
// A daemon, a game server and players, set up for one test and taken down after it.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { freePort } = require('./children')
const { Bot } = require('./bots')
const { Daemon } = require('./daemon')
const { GameServer } = require('./game-server')

/**
 * {daemon, server, bots, join}: `bots` are the players that were named, in that order. `settings` go into config.yml.
 * With a `url`, whoever listens there takes the place of the daemon.
 */
async function setUp (t, { version = '1.20.1', players = [], settings, url } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adr-e2e-'))
  const stage = { bots: [] }
  t.after(async () => {
    await stage.server?.stop('SIGKILL')
    await stage.daemon?.stop('SIGKILL')
    for (const bot of stage.bots) bot.vanish()
    if (process.env.ADR_KEEP) console.error(`kept: ${folder}`)
    else fs.rmSync(folder, { recursive: true, force: true })
  })
  if (!url) stage.daemon = await Daemon.start(folder, settings)
  const mod = {
    url: url ?? stage.daemon.url,
    token: url ? 'none' : await stage.daemon.token('arena'),
    folder: path.join(folder, 'mod')
  }
  stage.server = await new GameServer({ port: await freePort(), version, mod }).start()
  stage.join = async (name, options) => {
    const bot = await Bot.join(stage.server, name, options)
    stage.bots.push(bot)
    return bot
  }
  for (const name of players) await stage.join(name)
  return stage
}

module.exports = { setUp }
