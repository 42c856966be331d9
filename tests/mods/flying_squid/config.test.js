'use strict'
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { test } = require('node:test')
const { mod, folder, memoryLog, until } = require('./mod')

const { check, recall, remember, DEFAULTS } = mod('./config.js')

test('a token is all that must be set', () => {
  const { config, errors, warnings } = check({ token: 'abc' })
  assert.deepEqual([errors, warnings], [[], []])
  assert.deepEqual(config, { url: 'ws://127.0.0.1:8787/', token: 'abc', folder: path.resolve('adr-bridge'), limit: 64 << 20 })
})

for (const [settings, expected] of [
  [undefined, /"token" is missing/],
  [{ token: '' }, /"token" must be/],
  [{ token: 'a b' }, /"token" must be/],
  [{ token: 't', url: 'localhost:8787' }, /"url" must begin with ws:\/\//],
  [{ token: 't', url: 'http://127.0.0.1/' }, /"url" must begin with ws:\/\//],
  [{ token: 't', url: '' }, /"url" must look like/],
  [{ token: 't', url: 'ws://x/?token=t' }, /the token has its own setting/],
  [{ token: 't', url: 'ws://me:t@x/' }, /the token has its own setting/],
  [{ token: 't', folder: 7 }, /"folder" must be/],
  [{ token: 't', spool_megabytes: '64' }, /"spool_megabytes" must be/]
]) {
  test(`the settings ${JSON.stringify(settings)} are refused in plain words`, () => {
    const { config, errors } = check(settings)
    assert.equal(config, null)
    assert.match(errors.join('\n'), expected)
  })
}

test('a setting with a typing error is pointed out', () => {
  assert.match(check({ token: 't', tokne: 't' }).warnings[0], /no setting "tokne"/)
})

test('the daemon\'s settings are remembered for the next start', async t => {
  const dir = folder(t)
  assert.deepEqual(recall(dir), { combat_window: 15, combat_log: 'kill', tab_list: true, name_tag: true })
  const log = memoryLog()
  remember(dir, { type: 'settings', combat_window: 5.5, combat_log: 'ignore', tab_list: false, name_tag: true }, log)
  await until(() => fs.existsSync(path.join(dir, 'settings.json')), 'written')
  assert.deepEqual(recall(dir), { combat_window: 5.5, combat_log: 'ignore', tab_list: false, name_tag: true })
  assert.deepEqual(log.lines, [])
})

for (const text of ['', '{', 'null', '[]', '{"combat_window":"long","combat_log":7}']) {
  test(`remembered settings that read ${JSON.stringify(text)} are the defaults`, t => {
    const dir = folder(t)
    fs.writeFileSync(path.join(dir, 'settings.json'), text)
    assert.deepEqual(recall(dir), { ...DEFAULTS })
  })
}
