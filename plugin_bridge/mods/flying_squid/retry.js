'use strict'
// What a lost or refused connection means, and how long to wait before the next try.

const PACE = Object.freeze({
  first: 500, // pause before the second try
  most: 30000, // longest pause while the daemon is away
  slow: 180000, // pause when trying again cannot help before somebody repairs something
  ping: 20000,
  silence: 50000 // without a sign of life for so long, the connection is dead
})

const BY_STATUS = {
  401: 'the daemon does not know this token. Make one with "adr-bridge server add NAME" and put it into the settings',
  429: 'the daemon has seen too many wrong tokens from this address'
}
const BY_CODE = {
  4000: 'the daemon does not understand this mod. Please report this',
  4001: 'another server connected with the same token. Every server needs its own',
  4002: 'the daemon speaks another version of the protocol. Update the older one of the two',
  4003: 'the token was revoked. Make a new one and put it into the settings'
}

/**
 * {slow, level, line} for a connection that ended with a close `code`, or was never made: an HTTP `status`, or an
 * error of the network as `problem`.
 */
function verdict ({ url, code, status, problem }) {
  const hopeless = BY_STATUS[status] || BY_CODE[code]
  if (hopeless) return { slow: true, level: 'error', line: `${hopeless}. Trying again every few minutes; kills are kept until then.` }
  const why = status ? `it answered ${status}` : code !== 1006 ? `closed with ${code}` : problem?.code || 'no connection'
  return { slow: false, level: 'warn', line: `no connection to the daemon at ${url} (${why}). Trying again; kills are kept until then.` }
}

function nextPause (pause, { first, most }) {
  return pause === 0 ? first : Math.min(pause * 2, most)
}

module.exports = { PACE, verdict, nextPause }
