/** Starts the parts of one server in order, and shuts them down gracefully. */
import type { Server as HttpServer } from 'node:http'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import type { Logger } from 'pino'
import { createAppDirectory } from '../identity/apps/apps.ts'
import { createTokenVerifier } from '../identity/sessions/tokens/verifier.ts'
import {
  type Capability,
  collectEnvironment,
  collectExpiryRules,
  collectMigrations,
  combineCapabilities,
  logLogins,
  openPorts,
} from '../kernel/capability.ts'
import { ConfigError, type Listener, parseConfig } from '../kernel/config.ts'
import type { ServerContext } from '../kernel/context.ts'
import { cleanUp } from '../kernel/db/cleanup.ts'
import { openDatabase } from '../kernel/db/database.ts'
import { createDatabaseClock } from '../kernel/db/database-clock.ts'
import { isUnavailable } from '../kernel/db/failures.ts'
import { withOutsideAnswers } from '../kernel/db/outside-answers.ts'
import type { Environment } from '../kernel/environment.ts'
import { randomId } from '../kernel/ids.ts'
import { openKeyring } from '../kernel/keys/keyring.ts'
import { openKms } from '../kernel/keys/keys.ts'
import { withPepperRetry } from '../kernel/keys/pepper-names.ts'
import { watchKeyAges } from '../kernel/keys/rotation.ts'
import { removeRunningServer, updateRunningServer } from '../kernel/keys/running-servers.ts'
import { readMasterKeyState } from '../kernel/keys/store.ts'
import { signsTypedTokens, typedTokensMark } from '../kernel/keys/untyped-tokens.ts'
import { databaseLimits, keyLimits, shutdownLimits } from '../kernel/limits.ts'
import { createLog, flushLog } from '../kernel/log.ts'
import { type Clock, nowSeconds } from '../kernel/ports.ts'
import { newRegistry } from '../kernel/registry.ts'
import { countAfterCommit } from '../kernel/telemetry/after-commit.ts'
import { runOutsideOfCalls } from '../kernel/telemetry/current-call.ts'
import { thirdPartyNowMs } from '../kernel/third-party-time.ts'
import { analyticsLimits } from '../pages/analytics/limits.ts'
import { storeAppCounts } from '../pages/analytics/stats.ts'
import { loaderLimits } from '../pages/loaders/limits.ts'
import { createLoaderStorage } from '../pages/loaders/loaders.ts'
import { createAdminApp } from '../platform/admin/admin.ts'
import { importLimits } from '../platform/admin/imports/limits.ts'
import { createImportWorker } from '../platform/admin/imports/worker.ts'
import { webhookLimits } from '../platform/webhooks/limits.ts'
import { createDeliveryWorker } from '../platform/webhooks/worker.ts'
import { sponsorServerLimits } from '../wallet/sponsor/limits.ts'
import { createSponsorWorker } from '../wallet/sponsor/worker.ts'
import { createApp, type Server } from './app.ts'
import { createClockCheck } from './health/clock-check.ts'
import { type ProcessState, watchReadiness } from './health/health.ts'
import { logUnreachable } from './health/reach.ts'
import { watchRelease } from './release-metric.ts'
import { ensureTables } from './tables.ts'
import { telemetryEnvironment } from './telemetry/environment.ts'
import { openTelemetry } from './telemetry/telemetry.ts'
import { unknownVariables } from './unknown-variables.ts'

const connectionLimits = {
  /** Longer than the keep-alive of proxies (60 to 75 s), so that no proxy sends a call into a closing connection. */
  keepAliveMs: 90_000,
  /** The deadline for the complete headers. */
  headersMs: 20_000,
  /** The deadline for headers and body. The largest body is a few hundred kB. */
  requestMs: 60_000,
} as const

export type RunningServer = {
  /** Reports that it is not ready, serves until load balancers have noticed, and then ends. */
  drain: () => Promise<void>
  /** Stops accepting calls and shuts down. */
  end: () => Promise<void>
}

type Start = {
  environment: Environment
  capabilities: Capability[]
  clock: Clock
}

export async function startServer({
  environment,
  capabilities,
  clock: machineClock,
}: Start): Promise<RunningServer> {
  const config = parseConfig(environment, [...collectEnvironment(capabilities), telemetryEnvironment])
  const log = createLog(config.logLevel)
  log.info({ ...config.release, node: process.version }, 'starting')
  for (const unknown of unknownVariables(environment)) log.warn({ ...unknown }, 'nothing reads this variable')
  const serverId = randomId()
  // Must be opened before any metrics are recorded.
  const telemetry = await openTelemetry(config, { log, serverId })
  const database = openDatabase(config.databaseUrl, {
    migrations: collectMigrations(capabilities),
    connections: config.databaseConnections,
    isPooled: config.isPooled,
    onLost: (error) => runOutsideOfCalls(() => log.warn({ error }, 'A connection to the database was lost')),
  })
  await ensureTables(database, config, (migration) => log.info({ migration }, 'migrating'))
  const { db } = database
  const clock = await createDatabaseClock(database, machineClock)
  const checkClock = createClockCheck({ clock, machine: machineClock, log, thirdPartyNowMs })
  checkClock()
  const kms = await openKms({ database, ...config, clock })
  const keyring = await openKeyring({ db, kms, clock })
  const name = `${hostname()} (process ${process.pid})`
  const heldKeys = () => [...kms.heldKeyIds(), ...keyring.pepperIds(), typedTokensMark]
  const updateRow = () => updateRunningServer(db, { id: serverId, name, keys: heldKeys() }, nowSeconds(clock))
  await updateRow()
  if (!signsTypedTokens(keyring.signingKey().id)) {
    log.warn(
      'Tokens have the form of release 0.1.0. Once all servers run this release: docs/keys.md, Typed tokens',
    )
  }
  const ports = newRegistry('the opened ports')
  const closePorts = openPorts(capabilities, { config, clock, log }, ports)
  const transaction = withOutsideAnswers(countAfterCommit(database.transaction))
  const context: ServerContext = {
    config,
    clock,
    log,
    db,
    transaction: (work) => withPepperRetry(keyring, () => transaction(work)),
    apps: createAppDirectory({ db, clock, keyring }),
    kms,
    keyring,
    ports,
    capabilities: combineCapabilities(capabilities, config),
    verifyToken: createTokenVerifier({ db, keyring, clock, config }),
  }
  const storeLoader = createLoaderStorage(context)
  await storeLoader()

  let isEnding = false
  let hasKeys = true
  const watched = [watchKeyAges(keyring, clock), watchRelease(config.release)]
  const state: ProcessState = {
    isMigrated: database.isMigrated,
    isEnding: () => isEnding,
    hasKeys: () => hasKeys,
    watch: (ready) => watched.push(watchReadiness(ready)),
  }
  const http = await listening(createApp(context, state, capabilities), config, 'PORT')
  const adminHttp =
    config.adminAddress &&
    (await listening(
      createAdminApp(
        context,
        capabilities.flatMap(({ adminEndpoints = [] }) => adminEndpoints),
      ),
      config.adminAddress,
      'ADMIN_ADDRESS',
    ))
  // Closes kept-alive connections after their current call during shutdown.
  for (const listener of [http, adminHttp]) {
    listener?.prependListener('request', (_, answer) => {
      if (isEnding) answer.setHeader('connection', 'close')
    })
  }
  if (config.adminAddress) log.info({ ...config.adminAddress }, 'Admin API listening')
  log.info({ dialog: config.dialogOrigin, wallet: config.walletOrigin, engine: database.engine }, 'listening')
  logLogins(capabilities, config, log)
  const reachAbort = new AbortController()
  const reachCheck = logUnreachable(context.capabilities.thirdParties, log, reachAbort.signal).then(
    checkClock,
  )

  const expiryRules = collectExpiryRules(capabilities)
  const webhookWorker = createDeliveryWorker(context)
  const importWorker = createImportWorker(context)
  const sponsorWorker = createSponsorWorker(context)
  const stops = [
    repeat(log, 'sending webhooks', webhookLimits.pollMs, webhookWorker.poll),
    webhookWorker.stop,
    importWorker.stop,
    repeat(log, 'following sponsored operations', sponsorServerLimits.pollMs, sponsorWorker.poll),
    sponsorWorker.stop,
    repeat(log, 'importing users', importLimits.pollMs, importWorker.poll),
    repeat(log, 'cleaning up', databaseLimits.cleanupIntervalMs, async (signal) => {
      const { failures } = await cleanUp(database, clock, expiryRules, { signal })
      for (const error of failures) log.error({ error, what: 'cleaning up a table' }, 'failed')
    }),
    repeat(log, 'storing counts', analyticsLimits.storeCountsIntervalMs, () => storeAppCounts(db, clock)),
    repeat(log, 'storing the loader', loaderLimits.storeIntervalMs, storeLoader),
    repeat(log, 'reading the clock of the database', databaseLimits.clockIntervalMs, async () => {
      await clock.adjust()
      checkClock()
    }),
    repeat(log, 'reading keys', keyLimits.keyringIntervalMs, async () => {
      try {
        const { master, recovery } = await readMasterKeyState(db)
        kms.reload(master.current, master.prepared)
        kms.reloadRecovery(recovery.current, recovery.prepared)
        await keyring.refresh()
        hasKeys = true
      } catch (error) {
        // If the database is unreachable, the keys are not necessarily wrong, and they are read again soon.
        if (!isUnavailable(error)) hasKeys = false
        throw error
      } finally {
        await updateRow()
      }
    }),
  ]

  async function finish(): Promise<void> {
    isEnding = true
    log.info('ending')
    reachAbort.abort()
    await reachCheck
    await Promise.all([closed(http), adminHttp && closed(adminHttp), ...stops.map((stop) => stop())])
    await storeAppCounts(db, clock).catch((error: unknown) => log.warn({ error }, 'The last counts are lost'))
    await closePorts()
    await removeRunningServer(db, serverId).catch((error: unknown) =>
      log.warn({ error }, 'This process could not be removed from the list of running servers'),
    )
    for (const stop of watched) stop()
    await database.close()
    await telemetry.close()
    log.info('ended')
    await flushLog(log)
  }
  let ending: Promise<void> | undefined
  const end = () => {
    ending ??= finish()
    return ending
  }
  return {
    end,
    async drain() {
      isEnding = true
      log.info({ ms: config.drainMs }, 'draining')
      // Unreferenced: open connections keep the process alive during the drain, this timer does not.
      await sleep(config.drainMs, undefined, { ref: false })
      await end()
    },
  }
}

/** Repeats the work, one run at a time. Returns a function that stops it and waits for the current run. */
function repeat(
  log: Logger,
  what: string,
  everyMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  const stopped = new AbortController()
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work(stopped.signal)
      .then(() => {})
      .catch((error: unknown) => log.error({ error, what }, 'failed'))
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  return async () => {
    clearInterval(timer)
    stopped.abort()
    await running
  }
}

function listening(
  { fetch }: Server,
  { host, port }: Listener,
  variable: 'PORT' | 'ADMIN_ADDRESS',
): Promise<HttpServer> {
  const http = serve({ fetch, hostname: host, port }) as HttpServer
  http.keepAliveTimeout = connectionLimits.keepAliveMs
  http.headersTimeout = connectionLimits.headersMs
  http.requestTimeout = connectionLimits.requestMs
  return new Promise((resolve, reject) => {
    http.once('listening', () => resolve(http))
    http.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new ConfigError(`${variable} ${port} on ${host} is in use by another program.`)
          : new ConfigError(`${variable} ${port} on ${host} cannot be used: ${error.code}.`),
      )
    })
  })
}

/** Refuses new connections, completes calls in flight, and closes the remaining connections after the deadline. */
function closed(http: HttpServer): Promise<void> {
  const deadline = setTimeout(() => http.closeAllConnections(), shutdownLimits.inFlightMs)
  // Browsers keep connections open after a response, and Node waits for them.
  const sweep = setInterval(() => http.closeIdleConnections(), shutdownLimits.sweepMs)
  return new Promise((resolve) => {
    http.close(() => {
      clearTimeout(deadline)
      clearInterval(sweep)
      resolve()
    })
  })
}
