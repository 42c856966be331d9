'use strict'
// The operator's settings of this mod, checked, and the daemon's settings, remembered for when it is away.

const fs = require('fs')
const path = require('path')

const OWN = ['url', 'token', 'folder', 'spool_megabytes', 'disabled']
const FILE = 'settings.json'
const DEFAULTS = Object.freeze({ combat_window: 15, combat_log: 'kill', tab_list: true, name_tag: true })

/** {config, errors, warnings}: `config` has every default filled in and is null when there are errors. */
function check (settings) {
  const given = typeof settings === 'object' && settings !== null ? settings : {}
  const { url = 'ws://127.0.0.1:8787/', token, folder = 'adr-bridge', spool_megabytes: megabytes = 64 } = given
  const errors = []
  const problem = urlProblem(url)
  if (problem) errors.push(`"url" ${problem}`)
  if (token === undefined) errors.push('"token" is missing: make one with "adr-bridge server add NAME"')
  else if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) errors.push('"token" must be the text that "adr-bridge server add" printed, without spaces')
  if (typeof folder !== 'string' || folder === '') errors.push('"folder" must be the path of a folder')
  if (typeof megabytes !== 'number' || !(megabytes >= 1 && megabytes <= 1024)) errors.push('"spool_megabytes" must be a number from 1 to 1024')
  const warnings = Object.keys(given).filter(name => !OWN.includes(name)).map(name => `there is no setting "${name}"; it is passed over`)
  const config = errors.length > 0 ? null : { url, token, folder: path.resolve(folder), limit: megabytes * (1 << 20) }
  return { config, errors, warnings }
}

function urlProblem (url) {
  let parsed
  try {
    parsed = new URL(url)
  } catch {
    return 'must look like ws://127.0.0.1:8787/'
  }
  if (!['ws:', 'wss:'].includes(parsed.protocol)) return `must begin with ws:// or wss://, not ${parsed.protocol}//`
  if (parsed.username || parsed.password || parsed.search) return 'must be the bare address; the token has its own setting'
  if (parsed.hash) return 'must not have a # in it'
  return null
}

/** The settings the daemon sent last time; the defaults if it never did or the file makes no sense. */
function recall (folder) {
  try {
    return pick(JSON.parse(fs.readFileSync(path.join(folder, FILE), 'utf8')))
  } catch {
    return DEFAULTS
  }
}

/** Keeps them for the next start. Losing them is no harm: the daemon sends them again. */
function remember (folder, settings, log) {
  const file = path.join(folder, FILE)
  const text = JSON.stringify(pick(settings), null, 2) + '\n'
  fs.promises.writeFile(file + '.new', text)
    .then(() => fs.promises.rename(file + '.new', file))
    .catch(error => log.warn(`the daemon's settings could not be kept for the next start: ${error.message}`))
}

function pick (given) {
  const ok = {
    combat_window: Number.isFinite(given.combat_window) && given.combat_window >= 0,
    combat_log: ['kill', 'ignore'].includes(given.combat_log),
    tab_list: typeof given.tab_list === 'boolean',
    name_tag: typeof given.name_tag === 'boolean'
  }
  return Object.fromEntries(Object.keys(DEFAULTS).map(name => [name, ok[name] ? given[name] : DEFAULTS[name]]))
}

module.exports = { check, recall, remember, DEFAULTS }
