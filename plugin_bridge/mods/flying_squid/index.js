'use strict'
// Puts the parts together: what is observed on the server becomes events and packets, what the daemon sends is shown.

const config = require('./config')
const { scrambler } = require('./address')
const packets = require('./packets')
const { version } = require('./package.json')
const { Attribution } = require('./attribution')
const { Commands, allowed } = require('./commands')
const { Display } = require('./display')
const { Link } = require('./link')
const { observe } = require('./observe')
const { Spool } = require('./spool')
const { plain } = require('./text')

module.exports.server = function (serv, settings) {
  const start = () => {
    const log = logger(serv)
    const { config: own, errors, warnings } = config.check(ownSettings(serv))
    warnings.forEach(log.warn)
    errors.forEach(error => log.error(`in the settings of this plugin, ${error}`))
    if (errors.length > 0) return log.error('not started: nothing is rated until the settings are right.')
    try {
      run({ serv, log, own, gameVersion: settings.version })
    } catch (error) {
      log.error(`not started, nothing is rated: ${error.message}`)
    }
  }
  // While flying-squid loads its plugins it has no log yet; one that is added later finds everything there.
  if (serv.info) start()
  else serv.once('asap', start)
}

function ownSettings (serv) {
  return Object.values(serv.plugins).find(plugin => plugin.server === module.exports.server)?.settings
}

function logger (serv) {
  const to = method => line => serv[method](`[adr-bridge] ${line}`)
  return { info: to('info'), warn: to('warn'), error: to('err') }
}

function run ({ serv, log, own, gameVersion }) {
  const online = new Map() // id -> player
  const attribution = new Attribution()
  const display = new Display(serv)
  const spool = new Spool({ folder: own.folder, limit: own.limit, log })
  let settings = config.recall(own.folder)
  display.settings(settings)

  const scrambled = scrambler()
  const identify = player => ({ id: player.uuid.toLowerCase(), name: player.username, world: worldName(serv, player.world) })
  const present = player => ({ ...identify(player), address: scrambled(player._client?.socket?.remoteAddress) })
  const seconds = () => performance.now() / 1000 // for spans: does not jump when the clock is set
  const isHere = player => player.uuid && online.get(player.uuid.toLowerCase()) === player

  const link = new Link({
    url: own.url,
    token: own.token,
    spool,
    log,
    receive: guarded(log, { receive }).receive,
    hello: () => packets.hello({
      platformVersion: gameVersion,
      modVersion: version,
      spool: spool.id,
      first: spool.first,
      time: Date.now() / 1000,
      online: [...online.values()].map(present)
    })
  })
  const commands = new Commands({
    send: packet => link.send(packet),
    identify,
    answer (player, lines) {
      if (!player) lines.forEach(line => log.info(plain(line)))
      else if (isHere(player)) lines.forEach(text => display.show([player], { where: 'chat', text }))
    }
  })

  function receive (packet) {
    switch (packet.type) {
      case 'settings':
        settings = packet
        display.settings(packet)
        return config.remember(own.folder, packet, log)
      case 'label':
        return display.label(packet)
      case 'message':
        return display.show([online.get(packet.player)].filter(Boolean), packet)
      case 'broadcast':
        return display.show([...online.values()].filter(player => !packet.permission || allowed(player, packet.permission)), packet)
      case 'reply':
        return commands.reply(packet)
      case 'error':
        return commands.failed(packet)
    }
  }

  function report (event, player) {
    if (!event) return
    const { type, ...fields } = event
    spool.append(packets[type]({ ...fields, time: Date.now() / 1000, world: worldName(serv, player.world) }))
  }

  observe(serv, guarded(log, {
    joined (player) {
      const who = identify(player)
      attribution.joined(who, { time: seconds(), window: settings.combat_window })
      online.set(who.id, player)
      display.joined(who.id, player)
      link.send(packets.join(present(player)))
    },
    moved (player) {
      if (isHere(player)) link.send(packets.world(identify(player).id, worldName(serv, player.world)))
    },
    harmed (player, { by, before, after, ...blow }) {
      if (!isHere(player)) return
      const killer = by && by.uuid ? identify(by) : null
      report(attribution.harm(identify(player), { blow: { ...blow, by: killer }, before, after, time: seconds(), window: settings.combat_window }), player)
    },
    left (player, { sentAway }) {
      if (!isHere(player)) return
      const who = identify(player)
      if (sentAway) attribution.forget(who)
      else report(attribution.quit(who, { time: seconds(), window: settings.combat_window, combatLog: settings.combat_log }), player)
      online.delete(who.id)
      if (!serv.isClosed) display.left(who.id)
      link.send(packets.quit(who.id))
    }
  }))
  commands.register(serv, log)
  serv.once('close', () => {
    online.clear() // flying-squid takes the clients' write away; nobody may be written to any more
    link.stop()
    spool.close()
  })
  link.start()
}

function worldName (serv, world) {
  if (world === serv.overworld) return 'overworld'
  return world === serv.netherworld ? 'nether' : 'other'
}

/** A fault in this mod is logged and never reaches the game. */
function guarded (log, sink) {
  const safe = name => (...args) => {
    try {
      sink[name](...args)
    } catch (error) {
      log.error(`a bug in this plugin, please report it: ${error.stack}`)
    }
  }
  return Object.fromEntries(Object.keys(sink).map(name => [name, safe(name)]))
}
