/** Starts the server of the environment, and ends it when asked: no call in flight is cut, nothing is lost. */
import type { Server as HttpServer } from 'node:http'
import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { createAppDirectory } from './apps/apps.ts'
import { ConfigError, configFrom } from './config.ts'
import type { ServerContext } from './context.ts'
import { cleanUp } from './db/cleanup.ts'
import { openDatabase } from './db/database.ts'
import { isUnavailable } from './db/failures.ts'
import { openKeyring } from './keys/keyring.ts'
import { openKms } from './keys/keys.ts'
import { MasterKeyError } from './keys/master-key.ts'
import { databaseLimits, keyLimits, shutdownLimits } from './limits.ts'
import { createLog } from './log.ts'
import { createSmtpMailer } from './mail/smtp.ts'
import { createTokenVerifier } from './sessions/verifier.ts'

async function start(): Promise<void> {
  const config = configFrom(process.env)
  const log = createLog(config.logLevel)
  const clock = { nowMs: Date.now }
  const database = openDatabase(config.databaseUrl, (error) => log.warn({ error }, 'A connection was lost'))
  await database.migrate()
  const { db, transaction } = database
  const kms = await openKms({ database, masterKeyFile: config.masterKeyFile, clock })
  const keyring = await openKeyring({ db, kms, clock })
  const mailer = createSmtpMailer(config)
  const context: ServerContext = {
    config,
    clock,
    log,
    db,
    transaction,
    apps: createAppDirectory({ db, clock, keyring }),
    kms,
    keyring,
    mailer,
    verifyToken: createTokenVerifier({ db, keyring, clock, config }),
  }

  const { fetch } = createApp(context, database.isMigrated)
  const http = serve({
    fetch,
    hostname: config.host,
    port: config.port,
    overrideGlobalObjects: false,
  }) as HttpServer
  await listening(http, config)
  log.info({ dialog: config.dialogOrigin, wallet: config.walletOrigin, engine: database.engine }, 'listening')

  const endings = [
    repeat('cleaning up', databaseLimits.cleanupIntervalMs, () => cleanUp(db, clock)),
    repeat('reading keys', keyLimits.keyringIntervalMs, async () => {
      kms.reload()
      await keyring.refresh()
    }),
  ]
  function repeat(what: string, everyMs: number, work: () => Promise<unknown>): () => Promise<void> {
    let running: Promise<void> | undefined
    const timer = setInterval(() => {
      running ??= work()
        .then(() => {})
        .catch((error: unknown) => log.error({ error, what }, 'failed'))
        .finally(() => {
          running = undefined
        })
    }, everyMs)
    return async () => {
      clearInterval(timer)
      await running
    }
  }

  let ending = false
  async function end(): Promise<void> {
    if (ending) return
    ending = true
    log.info('ending')
    await Promise.all([closed(http), ...endings.map((finish) => finish())])
    mailer.close()
    await database.close()
    log.info('ended')
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

const listening = (http: HttpServer, { host, port }: { host: string; port: number }) =>
  new Promise<void>((resolve, reject) => {
    http.once('listening', resolve)
    http.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new ConfigError(`PORT ${port} on ${host} is in use by another program`)
          : error,
      )
    })
  })

/** New connections are refused, calls in flight get their answers, and after the deadline the rest is cut. */
function closed(http: HttpServer): Promise<void> {
  const deadline = setTimeout(() => http.closeAllConnections(), shutdownLimits.inFlightMs)
  // Browsers keep a connection after its answer, and Node waits for it.
  const sweep = setInterval(() => http.closeIdleConnections(), shutdownLimits.sweepMs)
  return new Promise((resolve) => {
    http.close(() => {
      clearTimeout(deadline)
      clearInterval(sweep)
      resolve()
    })
  })
}

try {
  await start()
} catch (error) {
  const isRefusal = error instanceof ConfigError || error instanceof MasterKeyError
  process.stderr.write(isRefusal ? `The server does not start.\n${error.message}\n` : `${describe(error)}\n`)
  process.exit(1)
}

function describe(error: unknown): string {
  if (isUnavailable(error)) return 'The server does not start.\nThe database of DATABASE_URL does not answer'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
