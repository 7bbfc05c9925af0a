/**
 * The whole product on its own ports: sandbox, server on a fresh embedded database, demo host, and a TLS
 * proxy in front of them.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRelays, environmentAtSandbox } from '@latchkey/sandbox'
import { authorityFile, sandboxAddress } from './https/certificates.ts'
import { type ReceivedRequest, startFront } from './https/front.ts'
import { type Started, startOperator, startProgram } from './process.ts'
import { createSettings } from './settings.ts'

export const appId = 'lkdemo0000000000000000001'
export const appName = 'Fieldnotes'

/** Another operator, with its own app, server, database and keys. */
const wharf = { prefix: 'wharf-', appId: 'lkwharf000000000000000001', appName: 'Wharf' }
const fieldnotes = { prefix: '', appId, appName }

export type Stack = {
  appId: string
  appName: string
  dialogOrigin: string
  walletOrigin: string
  hostOrigin: string
  /** An origin that the app lists, and one that it does not list. */
  otherHostOrigin: string
  strangerOrigin: string
  apiOrigin: string
  sandboxUrl: string
  sandboxPorts: SandboxPorts
  /** The address of the sandbox chain. */
  chainUrl: string
  /** The address of the Solana node, which `startSolana` starts once. It replaces `{solana}` in settings. */
  solanaUrl: string
  startSolana: () => Promise<string>
  databaseFile: string
  /** Invites an operator of the dashboard. Returns the link. */
  inviteOperator: (email: string) => Promise<string>
  /** Runs `latchkey operator`. Returns its output. */
  operator: (...args: string[]) => Promise<string>
  /** Runs an operator command, and resolves once the server uses the change. */
  app: (...args: readonly string[]) => Promise<string>
  /** Resets the app to its initial settings with these changes, in the format of the operator's command. */
  useSettings: (settings: readonly string[]) => Promise<void>
  /** Kills the server without a shutdown, and restarts it on the same database. */
  killServer: () => Promise<void>
  /** Starts the server, optionally with another build of the loader. */
  startServer: (loaderDist?: string) => Promise<void>
  serverPid: () => number | undefined
  serverPort: number
  /** The address at which browsers visit the sandbox's pages. */
  visitedSandboxUrl: string
  /** All browser requests to the product and to the sandbox, in order. Empty over HTTP. */
  received: readonly ReceivedRequest[]
  /** Returns the output of one program, or of all. */
  logs: (name?: 'server' | 'sandbox' | 'demo') => string
  stop: () => Promise<void>
}

type SandboxPorts = { http: number; smtp: number; chain: number }

export type StackOptions = {
  /** The stack of another operator. Both share its sandbox. */
  beside?: Stack
  /** PostgreSQL instead of a fresh embedded database. */
  databaseUrl?: string
  logLevel?: 'debug' | 'info' | 'warn'
  /** Another build of the wallet frame. */
  walletDist?: string
  /** False starts no demo host, so there is no page to open. */
  demo?: boolean
  /** `http` is for browsers that cannot trust the authority, and for measurements. */
  scheme?: 'https' | 'http'
}

export async function startStack(firstPort: number, options: StackOptions = {}): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-e2e-'))
  const { scheme = 'https' } = options
  const [serverPort, httpsPort, demoPort] = [firstPort, firstPort + 5, firstPort + 10]
  const adminPort = firstPort + 40
  // Its cookie and passkeys need no certificate on localhost.
  const solanaPort = firstPort + 37
  const solanaUrl = `http://127.0.0.1:${solanaPort}`
  const dashboardOrigin = `http://admin.localhost:${adminPort}`
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
    ...createRelays(join(folder, 'keys')),
    MAIL_FROM: 'Latchkey <login@latchkey.test>',
    DRAIN_MS: '0',
    LOG_LEVEL: options.logLevel ?? 'debug',
    // Users without a browser send their address; browsers count as this machine.
    TRUSTED_PROXIES: '127.0.0.1',
    ADMIN_ADDRESS: `127.0.0.1:${adminPort}`,
    ADMIN_ORIGIN: dashboardOrigin,
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
        // `readyz` waits for the built pages, which a stack without a browser does not need.
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
  let solana: Promise<Started> | undefined
  async function startSolana(): Promise<string> {
    solana ??= startProgram({
      name: 'The Solana node',
      script: 'sandbox/solana/main.ts',
      args: ['--port', String(solanaPort)],
      env: {},
      logFile: log('solana'),
      answersAt: `${solanaUrl}/healthz`,
    })
    running.set('solana', await solana)
    return solanaUrl
  }
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
    // Users log in with several browsers, and tests read the next mail about something else.
    await operator.run('set', app.appId, 'new_device_mails=false')
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
    solanaUrl,
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
    solanaUrl,
    startSolana,
    databaseFile,
    inviteOperator: async (email) => {
      const printed = await operator.run('operator', 'invite', email, '--role', 'owner', '--json')
      return (JSON.parse(printed) as { link: string }).link
    },
    operator: (...args) => operator.run('operator', ...args),
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
