/** Several server processes on one database behind a balancer, with the sandbox beside them. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runProgram, type Started, startProgram } from '../stack/process.ts'
import { appId, appName } from '../stack/stack.ts'
import { type Balancer, startBalancer } from './balancer.ts'

/** Longer than the balancer's health check interval. */
const drainMs = 1_000
/** Enough under load, and with a database that is just starting. */
const startDeadlineMs = 60_000
/** In-flight calls have ten more seconds after draining. */
const endDeadlineMs = drainMs + 15_000

export type Fleet = {
  appId: string
  port: number
  dialogOrigin: string
  walletOrigin: string
  sandboxUrl: string
  /** The SQLite file of the servers, unless they use PostgreSQL. */
  databaseFile: string
  balancer: Balancer
  size: number
  /** Kills a server without a shutdown. */
  kill: (at: number) => Promise<void>
  /** Stops a server gracefully, like a deploy. */
  drain: (at: number) => Promise<void>
  /** Starts a server of this release, or of the release in the given folder. */
  start: (at: number, release?: string) => Promise<void>
  /** Migrates the tables to this release, like an operator before an upgrade. */
  migrate: () => Promise<unknown>
  keys: (...args: readonly string[]) => Promise<unknown>
  /** Restores a backup and the key file in another folder and database, and starts a server on them. */
  restoreElsewhere: () => Promise<{ port: number; stop: () => Promise<void> }>
  /** Returns the process ids of the servers. */
  pids: () => readonly number[]
  /** Returns the number of processes that exited unexpectedly. */
  endedByThemselves: () => number
  stop: () => Promise<void>
}

type FleetOptions = {
  port: number
  size: number
  /** Undefined for SQLite. */
  databaseUrl: string | undefined
  /** Environment variables in addition to the defaults. */
  environment?: Readonly<Record<string, string>>
  /** The folder of the release to start with, by default this one. */
  release?: string | undefined
}

export async function startFleet({
  port,
  size,
  databaseUrl,
  environment: more = {},
  release,
}: FleetOptions): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-soak-'))
  const [sandboxPort, smtpPort] = [port + 20, port + 25]
  const dialogOrigin = `http://dialog.localhost:${port}`
  const walletOrigin = `http://wallet.localhost:${port}`
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const databaseFile = join(folder, 'data', 'latchkey.sqlite')
  const environment = {
    DIALOG_ORIGIN: dialogOrigin,
    WALLET_ORIGIN: walletOrigin,
    DATABASE_URL: databaseUrl ?? databaseFile,
    MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: 'Latchkey <login@latchkey.test>',
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_MS: String(drainMs),
    DATABASE_CONNECTIONS: '8',
    LOG_LEVEL: 'warn',
    ...more,
  }
  const ports = Array.from({ length: size }, (_, at) => port + 1 + at)
  const running = new Map<number, Started>()
  let endedByThemselves = 0

  const startServer = async (at: number, of?: string) => {
    const serverPort = ports[at]
    if (serverPort === undefined) throw new Error(`No server at index ${at}`)
    const started = await startProgram({
      name: `Server ${at}`,
      script: 'server/start/main.ts',
      release: of,
      env: { ...environment, PORT: String(serverPort) },
      logFile: join(folder, `server-${at}.log`),
      answersAt: `http://127.0.0.1:${serverPort}/healthz`,
      deadlineMs: startDeadlineMs,
    })
    running.set(at, started)
    void started.ended.then((how) => {
      if (how === 'by itself') endedByThemselves += 1
    })
  }

  const end = async (at: number, signal: 'SIGKILL' | 'SIGTERM', deadlineMs?: number) => {
    const server = running.get(at)
    running.delete(at)
    await server?.kill(signal, deadlineMs)
  }
  const command = 'server/start/commands/latchkey.ts'
  const migrate = () => runProgram(command, ['migrate'], environment)
  // The first release has no migrate command; its other commands migrate.
  if (release === undefined) await migrate()
  const create = ['create', '--id', appId, '--name', appName]
  if (release === undefined || existsSync(join(release, command))) {
    await runProgram(command, ['app', ...create], environment, release)
  } else {
    // Release 0.1.0 has a program for each command.
    await runProgram('server/start/commands/app.ts', create, environment, release)
  }
  const sandbox = await startProgram({
    name: 'The sandbox',
    script: 'sandbox/main.ts',
    args: ['--http-port', String(sandboxPort), '--smtp-port', String(smtpPort), '--chain-port', 'off'],
    env: {},
    logFile: join(folder, 'sandbox.log'),
    answersAt: `${sandboxUrl}/healthz`,
  })
  for (const at of ports.keys()) await startServer(at, release)
  const balancer = await startBalancer(port, ports)

  return {
    appId,
    port,
    dialogOrigin,
    walletOrigin,
    sandboxUrl,
    databaseFile,
    balancer,
    size,
    kill: (at) => end(at, 'SIGKILL'),
    drain: (at) => end(at, 'SIGTERM', endDeadlineMs),
    start: startServer,
    migrate,
    keys: (...args) => retry(() => runProgram(command, ['keys', ...args], environment)),
    async restoreElsewhere() {
      const place = join(folder, 'elsewhere')
      const key = join(place, 'keys', 'master.key')
      mkdirSync(join(place, 'keys'), { recursive: true })
      const backup = join(folder, 'backup')
      await runProgram(command, ['backup', '--to', backup], environment)
      cpSync(environment.MASTER_KEY_FILE, key)
      const elsewhere = {
        ...environment,
        DATABASE_URL: join(place, 'data', 'latchkey.sqlite'),
        MASTER_KEY_FILE: key,
        PORT: String(port + 15),
      }
      await runProgram(command, ['restore', '--from', backup], elsewhere)
      const server = await startProgram({
        name: 'The restored server',
        script: 'server/start/main.ts',
        env: elsewhere,
        logFile: join(folder, 'restored.log'),
        answersAt: `http://127.0.0.1:${port + 15}/readyz`,
      })
      return { port: port + 15, stop: () => server.kill('SIGKILL') }
    },
    pids: () => [...running.values()].flatMap(({ pid }) => pid ?? []),
    endedByThemselves: () => endedByThemselves,
    async stop() {
      await balancer.close()
      await Promise.all([sandbox, ...running.values()].map((program) => program.kill('SIGKILL')))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Retries a command while the database is just starting. */
async function retry<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let left = 5; ; left -= 1) {
    try {
      return await run()
    } catch (error) {
      if (left === 0) throw error
    }
    await sleep(2_000)
  }
}
