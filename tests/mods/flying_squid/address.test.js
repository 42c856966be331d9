'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { mod } = require('./mod')

const { household, scrambler } = mod('./address.js')

test('an address becomes 32 digits that tell nothing but equality', () => {
  const [one, other] = [scrambler(), scrambler()]
  assert.match(one('192.0.2.17'), /^[0-9a-f]{32}$/)
  assert.equal(one('192.0.2.17'), one('::ffff:192.0.2.17'))
  assert.notEqual(one('192.0.2.17'), one('192.0.2.18'))
  assert.notEqual(one('192.0.2.17'), other('192.0.2.17'), 'each start has its own secret')
  assert.equal(scrambler(Buffer.from('secret'))('192.0.2.17'), scrambler(Buffer.from('secret'))('192.0.2.17'))
})

test('without an address there is none, nor for those who come through a tunnel', () => {
  for (const none of [undefined, null, '', '127.0.0.1', '::ffff:127.0.0.1', '::1']) assert.equal(scrambler()(none), null, none)
})

test('of IPv6 the first half counts, however it is written', () => {
  for (const same of ['2001:db8:0:7::1', '2001:DB8::7:0:0:0:1', '2001:0db8:0000:0007:aaaa:bbbb:cccc:dddd', '2001:db8:0:7::%eth0']) {
    assert.equal(household(same), '2001:db8:0:7'.split(':').map(part => parseInt(part, 16)).join(':'), same)
  }
  assert.notEqual(household('2001:db8:0:8::1'), household('2001:db8:0:7::1'))
  assert.equal(household('::1'), '0:0:0:0')
  assert.equal(household('127.0.0.1'), '127.0.0.1')
})
