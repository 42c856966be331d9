'use strict'
// Whether two players share an internet connection is told without telling which: the daemon gets their addresses
// scrambled with a secret that is made anew at each start and never leaves this process.

const crypto = require('node:crypto')
const net = require('node:net')

const LENGTH = 32

const THIS_MACHINE = /^(127\.|0:0:0:0$)/ // a tunnel or a proxy: everybody comes from here

/** A function from an address to 32 hexadecimal digits; null for none, and for this machine. */
function scrambler (secret = crypto.randomBytes(16)) {
  return address => {
    const home = address ? household(address) : '127.'
    if (THIS_MACHINE.test(home)) return null
    return crypto.createHash('sha256').update(secret).update(home).digest('hex').slice(0, LENGTH)
  }
}

/** The address, or of IPv6 the first 64 bits, which all devices of a home have in common. */
function household (address) {
  const plain = address.toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, '').replace(/%.*$/, '')
  if (!net.isIPv6(plain)) return plain
  const [head, tail] = plain.split('::').map(part => part ? part.split(':') : [])
  const zeros = tail ? Array(8 - head.length - tail.length).fill('0') : []
  return [...head, ...zeros, ...(tail ?? [])].slice(0, 4).map(part => parseInt(part, 16)).join(':')
}

module.exports = { scrambler, household }
