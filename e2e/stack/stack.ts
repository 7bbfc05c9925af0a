/**
 * The whole product on ports of its own: sandbox, server on a fresh embedded database, demo host, and in front of them
 * the TLS of an operator.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentAtSandbox } from '@latchkey/sandbox'
import { authorityFile, sandboxAddress } from './https/certificates.ts'
import { type ReceivedRequest, startFront } from './https/front.ts'
import { type Started, startOperator, startProgram } from './process.ts'
import { createSettings } from './settings.ts'

export const appId = 'lkdemo0000000000000000001'
export const appName = 'Fieldnotes'

/** Another operator, with an app, a server, a database and keys of their own. */
const wharf = { prefix: 'wharf-', appId: 'lkwharf000000000000000001', appName: 'Wharf' }
const fieldnotes = { prefix: '', appId, appName }

export type Stack = {
  appId: string
  appName: string
  dialogOrigin: string
  walletOrigin: string
  hostOrigin: string
  /** Another site that the app lists, and one that it does not. */
  otherHostOrigin: string
  strangerOrigin: string
  apiOrigin: string
  sandboxUrl: string
  sandboxPorts: SandboxPorts
  /** The address of the sandbox's chain. */
  chainUrl: string
  databaseFile: string
  /** Runs the operator's command, and resolves once the running server uses the change. */
  app: (...args: readonly string[]) => Promise<string>
  /** Sets the app to its first settings with these changes, in the form of the operator's command. */
  useSettings: (settings: readonly string[]) => Promise<void>
  /** Kills the server as a power cut does, and starts it again on the same database. */
  killServer: () => Promise<void>
  /** Starts it with another build of the loader where a folder is named. */
  startServer: (loaderDist?: string) => Promise<void>
  serverPid: () => number | undefined
  serverPort: number
  /** The address at which browsers visit the pages of the sandbox. */
  visitedSandboxUrl: string
  /** Everything that browsers asked of the product and of what the sandbox plays, in its order; empty over HTTP. */
  received: readonly ReceivedRequest[]
  /** Everything that one program of the stack has printed, or all of them. */
  logs: (name?: 'server' | 'sandbox' | 'demo') => string
  stop: () => Promise<void>
}

type SandboxPorts = { http: number; smtp: number; chain: number }

export type StackOptions = {
  /** That of another operator beside this one: both ask one sandbox. */
  beside?: Stack
  /** PostgreSQL instead of a fresh embedded database. */
  databaseUrl?: string
  logLevel?: 'debug' | 'info' | 'warn'
  /** Another build of the wallet frame than the one that is shipped. */
  walletDist?: string
  /** False starts no demo host, so there is no page to open. */
  demo?: boolean
  /** `http` is for browsers that cannot be told to trust an authority, and for measurements. */
  scheme?: 'https' | 'http'
}

export async function startStack(firstPort: number, options: StackOptions = {}): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-e2e-'))
  const { scheme = 'https' } = options
  const [serverPort, httpsPort, demoPort] = [firstPort, firstPort + 5, firstPort + 10]
  const ownPorts = { http: firstPort + 20, smtp: firstPort + 25, chain: firstPort + 35 }
  const { http: sandboxPort, smtp: smtpPort, chain: chainPort } = options.beside?.sandboxPorts ?? ownPorts
  const { prefix, ...app } = options.beside ? wharf : fieldnotes
  const origin = (name: string, httpPort: number) =>
    `${scheme}://${prefix}${name}.localhost:${scheme === 'https' ? httpsPort : httpPort}`
  const dialogOrigin = origin('dialog', serverPort)
  const walletOrigin = origin('wallet', serverPort)
  const hostOrigin = origin('demo', demoPort)
  const otherHostOrigin = origin('other', demoPort)
  const strangerOrigin = origin('stranger', demoPort)
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const visitedSandboxUrl = scheme === 'https' ? `https://${sandboxAddress}:${httpsPort}` : sandboxUrl
  const log = (name: string) => join(folder, `${name}.log`)
  const databaseFile = join(folder, 'data', 'latchkey.sqlite')
  const serverEnv = {
    PORT: String(serverPort),
    DIALOG_ORIGIN: dialogOrigin,
    WALLET_ORIGIN: walletOrigin,
    DATABASE_URL: options.databaseUrl ?? databaseFile,
    MIGRATE_AT_START: 'true',
    MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
    ...environmentAtSandbox({
      http: sandboxPort,
      smtp: smtpPort,
      chain: chainPort,
      visitedUrl: visitedSandboxUrl,
    }),
    MAIL_FROM: 'Latchkey <login@latchkey.test>',
    DRAIN_MS: '0',
    LOG_LEVEL: options.logLevel ?? 'debug',
    // Users without a browser say which address they come from; browsers are counted as this machine.
    TRUSTED_PROXIES: '127.0.0.1',
    ...(scheme === 'https' && { NODE_EXTRA_CA_CERTS: authorityFile }),
    ...(options.walletDist !== undefined && { WALLET_DIST: options.walletDist }),
  }
  const operator = startOperator(serverEnv, log('operator'))
  const running = new Map<string, Started>()

  const startServer = async (loaderDist?: string) => {
    running.set(
      'server',
      await startProgram({
        name: 'The server',
        script: 'server/start/main.ts',
        env: { ...serverEnv, ...(loaderDist !== undefined && { LOADER_DIST: loaderDist }) },
        logFile: log('server'),
        // Ready means that the pages are built; a stack without a browser needs none.
        answersAt: `http://127.0.0.1:${serverPort}/${options.demo === false ? 'healthz' : 'readyz'}`,
      }),
    )
  }
  const startSandbox = () =>
    startProgram({
      name: 'The sandbox',
      script: 'sandbox/main.ts',
      args: [
        ...['--http-port', String(sandboxPort)],
        ...['--smtp-port', String(smtpPort)],
        ...['--chain-port', String(chainPort)],
      ],
      env: {},
      logFile: log('sandbox'),
      answersAt: `${sandboxUrl}/healthz`,
    })
  const front =
    scheme === 'https'
      ? await startFront(httpsPort, { demo: demoPort, server: serverPort, sandbox: sandboxPort })
      : undefined
  const stop = async () => {
    await front?.stop()
    await Promise.all([operator.stop(), ...[...running.values()].map((program) => program.kill('SIGTERM'))])
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    const origins = [hostOrigin, otherHostOrigin].flatMap((value) => ['--origin', value])
    await operator.run('create', '--id', app.appId, '--name', app.appName, ...origins)
    if (!options.beside) running.set('sandbox', await startSandbox())
    if (options.demo ?? true) {
      running.set(
        'demo',
        await startProgram({
          name: 'The demo host',
          script: 'demo/main.ts',
          args: ['--port', String(demoPort), '--dialog-url', dialogOrigin, '--app-id', app.appId],
          env: {},
          logFile: log('demo'),
          answersAt: `http://127.0.0.1:${demoPort}/`,
        }),
      )
    }
    await startServer()
  } catch (error) {
    await stop()
    throw error
  }

  const settings = createSettings({
    appId: app.appId,
    operator,
    serverPort,
    dialogOrigin,
    chainUrl: `http://127.0.0.1:${chainPort}`,
  })

  return {
    ...app,
    dialogOrigin,
    walletOrigin,
    apiOrigin: origin('api', serverPort),
    sandboxPorts: { http: sandboxPort, smtp: smtpPort, chain: chainPort },
    hostOrigin,
    otherHostOrigin,
    strangerOrigin,
    sandboxUrl,
    visitedSandboxUrl,
    chainUrl: `http://127.0.0.1:${chainPort}`,
    databaseFile,
    app: settings.run,
    useSettings: settings.use,
    startServer,
    serverPort,
    received: front?.received ?? [],
    serverPid: () => running.get('server')?.pid,
    killServer: async () => running.get('server')?.kill('SIGKILL'),
    logs: (name) =>
      (name ? [name] : [...running.keys()]).map((program) => readFileSync(log(program), 'utf8')).join('\n'),
    stop,
  }
}
