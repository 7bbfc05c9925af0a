// The whole product on this machine: sandbox, server with an embedded database, demo.

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProgramOptions, startOperator, startProgram } from '../../sdk/sandbox/programs/program.ts'
import {
  createRelays,
  environmentAtSandbox,
  settingsAtSandbox,
} from '../../sdk/sandbox/programs/third-parties.ts'
import { build } from '../builds/build.ts'
import { childEnvironment, endWithWords, onOrphaned, root, say } from '../setup.mjs'
import { isHosted, productionEnvironment } from './operator-environment.ts'
import { localPorts, type Ports, refuseTakenPorts } from './ports.ts'

/** The packages to build. Packages for hosts are not needed. */
export const localPackages = ['loader', 'dialog-app', 'wallet-frame', 'dashboard', 'demo']

const demoApp = { id: 'lkdemo0000000000000000001', name: 'Fieldnotes' }
const defaultServerPort = 4000
const stopDeadlineMs = 4_000

/** Each set of ports has its own data, so that two products can run in parallel. */
const dataFolder = (ports: Ports) =>
  ports.server === defaultServerPort ? join(root, '.data') : join(root, '.data', `at-${ports.server}`)

const addresses = (ports: Ports) => ({
  demo: `http://demo.localhost:${ports.demo}`,
  otherDemo: `http://other.localhost:${ports.demo}`,
  inbox: `http://sandbox.localhost:${ports.inbox}`,
  dialog: `http://dialog.localhost:${ports.server}`,
  wallet: `http://wallet.localhost:${ports.server}`,
  chain: `http://127.0.0.1:${ports.chain}`,
  dashboard: `http://admin.localhost:${ports.admin}`,
})

export const serverEnvironment = (ports: Ports): Readonly<Record<string, string | undefined>> => {
  const { dialog, wallet, dashboard } = addresses(ports)
  const data = dataFolder(ports)
  // The shell's environment takes precedence, for example to try PostgreSQL or another mail server.
  return {
    DATABASE_URL: join(data, 'database', 'latchkey.sqlite'),
    MASTER_KEY_FILE: join(data, 'keys', 'master.key'),
    ...environmentAtSandbox({ http: ports.inbox, smtp: ports.smtp, chain: ports.chain }),
    ...createRelays(join(data, 'keys')),
    // No load balancer has to notice the shutdown.
    DRAIN_MS: '0',
    ...process.env,
    PORT: String(ports.server),
    DIALOG_ORIGIN: dialog,
    WALLET_ORIGIN: wallet,
    ADMIN_ADDRESS: `127.0.0.1:${ports.admin}`,
    ADMIN_ORIGIN: dashboard,
  }
}

/**
 * Returns the environment of `npm run app`, `npm run keys` and so on. They use the local product of LATCHKEY_PORT_BASE,
 * unless the environment names another server with DATABASE_URL, MASTER_KEY_FILE and so on. A DIALOG_ORIGIN of another
 * machine selects the product of `npm run serve`.
 */
export const operatorEnvironment = (): Readonly<Record<string, string | undefined>> =>
  isHosted(process.env)
    ? productionEnvironment(process.env)
    : { ...serverEnvironment(localPorts()), ...process.env }

const logo = () => {
  const picture = readFileSync(join(root, 'demo', 'public', 'favicon.svg'))
  return `data:image/svg+xml;base64,${picture.toString('base64')}`
}

/** Returns the options of a program. Its log is in the data folder. */
const program = (
  ports: Ports,
  name: string,
  { nodeOptions = [], env = {}, ...options }: Partial<ProgramOptions> & { script: string },
): ProgramOptions => ({
  name: `The ${name}`,
  folder: root,
  nodeOptions: ['--conditions=latchkey-source', ...nodeOptions],
  env: childEnvironment(env),
  logFile: join(dataFolder(ports), 'logs', `${name}.log`),
  ...options,
})

/**
 * Creates the demo's app once, with everything the sandbox offers. Later starts keep its settings. Returns a link that
 * registers the operator of the dashboard, or undefined if there is one.
 */
async function seedDemoApp(ports: Ports): Promise<string | undefined> {
  const { demo, otherDemo, chain } = addresses(ports)
  const env = serverEnvironment(ports)
  const operator = startOperator(program(ports, 'operator', { script: 'server/testing/operator.ts', env }))
  const { id, name } = demoApp
  const origins = ['--origin', demo, '--origin', otherDemo]
  const printed = await operator.run('create', '--if-missing', '--id', id, '--name', name, ...origins)
  if (printed.includes('App id:')) {
    await operator.run('set', id, `logo_url=${logo()}`, `icon_url=${logo()}`, ...settingsAtSandbox(chain))
    await operator.run('enable', id, 'all')
  }
  const invitation = await operator
    .run('operator', 'invite', 'operator@latchkey.example', '--role', 'owner', '--json')
    .catch(() => undefined)
  await operator.stop()
  return invitation && (JSON.parse(invitation) as { link: string }).link
}

/** Starts the programs of the product. */
function startPrograms(ports: Ports, isWatching: boolean) {
  const nodeOptions = isWatching ? ['--watch', '--watch-preserve-output'] : []
  const { dialog, inbox } = addresses(ports)
  const start = (name: string, url: string, options: Pick<ProgramOptions, 'script' | 'args'>, env = {}) => ({
    url,
    ...startProgram(program(ports, name, { nodeOptions, env, ...options })),
  })
  return [
    start('sandbox', `http://127.0.0.1:${ports.inbox}/healthz`, {
      script: 'sandbox/main.ts',
      args: [
        ...['--http-port', String(ports.inbox)],
        ...['--smtp-port', String(ports.smtp)],
        ...['--chain-port', String(ports.chain)],
      ],
    }),
    start(
      'server',
      `http://127.0.0.1:${ports.server}/readyz`,
      { script: 'server/start/main.ts' },
      serverEnvironment(ports),
    ),
    start('demo', `http://127.0.0.1:${ports.demo}/`, {
      script: 'demo/main.ts',
      args: [
        ...['--port', String(ports.demo)],
        ...['--dialog-url', dialog],
        ...['--inbox-url', inbox],
        ...['--app-id', demoApp.id],
      ],
    }),
  ]
}

const printAddresses = (ports: Ports, invitation: string | undefined) => {
  const { demo, inbox, dialog, wallet, chain, dashboard } = addresses(ports)
  say(`
Demo: ${demo}
Inbox: ${inbox}  (every mail and text message that is sent arrives here)
Phone: ${inbox}/phone  Chain: ${inbox}/chain  Providers: ${inbox}/providers
Dialog: ${dialog}
Wallet frame: ${wallet}
Dashboard: ${invitation ?? dashboard}
Node of the chain: ${chain}
`)
}

type Options = { isWatching?: boolean; onRunning?: () => void }

/** Builds and starts everything, prints the addresses and runs until a signal. */
export async function runLocalProduct({
  isWatching = false,
  onRunning = () => say('Press Ctrl-C to stop everything.'),
}: Options = {}): Promise<void> {
  const ports = localPorts()
  await refuseTakenPorts(ports)
  mkdirSync(join(dataFolder(ports), 'logs'), { recursive: true })
  const [{ ok }, invitation] = await Promise.all([
    build({ only: localPackages, staleOnly: true, extent: 'local' }),
    seedDemoApp(ports),
  ]).catch((error: Error) => endWithWords(`The demo's app could not be created. ${error.message}`))
  if (!ok) endWithWords('The build failed, so nothing was started.')

  say('Starting the sandbox, the server and the demo')
  const programs = startPrograms(ports, isWatching)
  let isEnding = false
  const end = async (code: number) => {
    if (isEnding) return
    isEnding = true
    if (code === 0) say('\nStopping')
    await Promise.all(programs.map(({ stop }) => stop('SIGTERM', stopDeadlineMs)))
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0))
  onOrphaned(() => end(0))
  const died = Promise.race(programs.map((one) => one.died))
  try {
    await Promise.race([died, Promise.all(programs.map(({ url, answers }) => answers(url)))])
    printAddresses(ports, invitation)
    onRunning()
    await died
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : error}`)
    console.error(`\nEverything stops. The logs: ${join(dataFolder(ports), 'logs')}`)
    await end(1)
  }
}
