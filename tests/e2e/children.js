'use strict'
// Child processes that never outlive the tests, and waiting for things to become true.

const { spawn } = require('node:child_process')
const net = require('node:net')

const running = new Set()
process.on('exit', () => { for (const child of running) child.kill('SIGKILL') })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

/** A process whose output is kept in `child.output`, for `until` and for telling what went wrong. */
function start (command, args, { env, ipc = false, cwd } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? ['ipc'] : [])]
  })
  running.add(child)
  child.output = ''
  child.ended = new Promise(resolve => child.once('close', (code, signal) => {
    running.delete(child)
    resolve(signal ?? code)
  }))
  child.once('error', error => { child.output += error.stack })
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => { child.output += text })
  return child
}

/** Ends it, hard if it does not listen, and waits until it is gone. */
async function end (child, signal = 'SIGTERM') {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), 10000)
  const result = await child.ended
  clearTimeout(timer)
  return result
}

/** What the condition returns as soon as that is true. */
async function until (condition, what, ms = 20000) {
  for (const end = Date.now() + ms; ;) {
    const value = await condition()
    if (value) return value
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${typeof what === 'function' ? what() : what}`)
    await sleep(20)
  }
}

function sleep (ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

/** A port that nobody listens on at this moment. */
function freePort () {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

module.exports = { start, end, until, sleep, freePort }
