'use strict'
// Where the tests find the mod, and what its modules need besides each other.

const { createRequire } = require('node:module')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const home = path.resolve(__dirname, '../../../plugin_bridge/mods/flying_squid')
const vectors = path.resolve(__dirname, '../../vectors')

/** A module of the mod, or a package that it depends on. */
function mod (name) {
  return createRequire(path.join(home, 'index.js'))(name)
}

function vector (name) {
  return JSON.parse(fs.readFileSync(path.join(vectors, name), 'utf8'))
}

/** An empty folder that is gone when the test is over. */
function folder (t) {
  const name = fs.mkdtempSync(path.join(os.tmpdir(), 'adr-mod-'))
  t.after(() => fs.rmSync(name, { recursive: true, force: true }))
  return name
}

/** A log that remembers its lines. */
function memoryLog () {
  const lines = []
  const to = level => line => lines.push(`${level}: ${line}`)
  return { lines, info: to('info'), warn: to('warn'), error: to('error') }
}

async function until (condition, what, ms = 10000) {
  for (const end = Date.now() + ms; Date.now() < end;) {
    const value = await condition()
    if (value) return value
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  throw new Error(`not within ${ms} ms: ${what}`)
}

module.exports = { home, mod, vector, folder, memoryLog, until }
