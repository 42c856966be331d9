'use strict'
// A game server on which players fight for ever, to look at or to test against:
//
//   node tests/e2e/arena.js --port 25565 --url ws://127.0.0.1:8787/ --token TOKEN [--bots 6] [--version 1.20.1]
//                           [--folder FOLDER] [--pace 1] [--seed 7]
//
// Prints `ready` when the fights begin, then `chat …` for what one who only watches reads in chat. Ends when it is
// told to, or when its parent is gone. The first fighter is the best, the last one the worst.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { parseArgs } = require('node:util')
const { sleep, until } = require('./children')
const { Bot } = require('./bots')
const { GameServer } = require('./game-server')

const NAMES = ['Ada', 'Boris', 'Chiyo', 'Dmitri', 'Esra', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jun', 'Kofi', 'Lena',
  'Mateo', 'Nadia', 'Omar', 'Petra', 'Quinn', 'Rosa', 'Sven', 'Tara']
const MOST = NAMES.length
const SECONDS_A_FIGHT = 4
const WATCHER = 'Watcher'
const BEST = 3.3 // how much better the best is than the worst: the logarithm of the odds between them

function options () {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '25565' },
      url: { type: 'string', default: 'ws://127.0.0.1:8787/' },
      token: { type: 'string' },
      bots: { type: 'string', default: '6' },
      version: { type: 'string', default: '1.20.1' },
      folder: { type: 'string' },
      pace: { type: 'string', default: '1' },
      seed: { type: 'string', default: '7' }
    }
  })
  if (!values.token) throw new Error('--token is missing: adr-bridge server add NAME')
  const [port, bots, pace, seed] = ['port', 'bots', 'pace', 'seed'].map(name => Number(values[name]))
  if (!(bots >= 2 && bots <= MOST)) throw new Error(`--bots must be a number from 2 to ${MOST}`)
  if (!(pace > 0)) throw new Error('--pace must be a number above 0')
  return { ...values, port, bots, pace, seed }
}

/** The same numbers from 0 to 1 for the same seed. */
function dice (seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let z = state
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    return ((z ^ (z >>> 16)) >>> 0) / 2 ** 32
  }
}

/** Which of two players will win: the better one more often. Players are numbers from 0, the best, to `count` - 1. */
function winner (one, two, count, roll) {
  const skill = player => BEST * (1 - player / (count - 1))
  return roll() < 1 / (1 + Math.exp(skill(two) - skill(one))) ? one : two
}

async function fightForEver (bots, { pace, roll }) {
  const busy = new Set()
  for (;;) {
    const free = [...bots.keys()].filter(player => !busy.has(player))
    if (free.length >= 2) {
      const one = free.splice(Math.floor(roll() * free.length), 1)[0]
      const two = free[Math.floor(roll() * free.length)]
      const first = winner(one, two, bots.length, roll)
      const pair = [first, first === one ? two : one]
      pair.forEach(player => busy.add(player))
      fight(...pair.map(player => bots[player]), { pace, roll })
        .catch(error => console.error(error.message)) // somebody lost the connection; the others fight on
        .finally(() => pair.forEach(player => busy.delete(player)))
    }
    await sleep(1000 * SECONDS_A_FIGHT / pace / Math.floor(bots.length / 2))
  }
}

/** Both hit; the loser with less luck. */
async function fight (winner, loser, { pace, roll }) {
  const { deaths } = loser
  await until(() => winner.alive && loser.alive, `${winner.name} and ${loser.name} are alive`)
  winner.client.lookAt(loser.client.entity.position.offset(0, 1.6, 0))
  if (roll() < 0.5) loser.hit(winner.name)
  await until(async () => {
    winner.hit(loser.name)
    await sleep(300 / pace)
    return loser.deaths > deaths
  }, `${winner.name} beats ${loser.name}`, 30000)
  await until(() => loser.alive, `${loser.name} is back`)
}

async function main () {
  const { port, url, token, bots: count, version, folder, pace, seed } = options()
  const home = folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'adr-arena-'))
  if (!folder) process.on('exit', () => fs.rmSync(home, { recursive: true, force: true }))
  const server = await new GameServer({ port, version, mod: { url, token, folder: home }, fist: 6, spread: 2 }).start()
  const bots = []
  for (const name of NAMES.slice(0, count)) bots.push(await Bot.join(server, name))
  const watcher = await Bot.join(server, WATCHER)
  watcher.client.on('messagestr', line => console.log(`chat ${line.replace(/\s+/g, ' ')}`))
  const parent = process.ppid
  setInterval(() => { if (process.ppid !== parent) process.exit(0) }, 1000) // nobody is left to stop this
  console.log('ready')
  await fightForEver(bots, { pace, roll: dice(seed) })
}

if (require.main === module) {
  main().catch(error => {
    console.error(error.message)
    process.exit(1)
  })
}

module.exports = { dice, winner }
