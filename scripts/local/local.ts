// The whole product on this machine: sandbox, server with an embedded database, demo.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentAtSandbox, settingsAtSandbox } from '../../sdk/sandbox/programs/third-parties.ts'
import { run } from '../processes/run.ts'
import { endWithWords, onOrphaned, root, say } from '../setup.mjs'
import { createChildren } from './children.ts'
import { isHosted, productionEnvironment } from './operator-environment.ts'
import { localPorts, type Ports } from './ports.ts'

/** The packages to build. Packages for hosts are not needed. */
export const localPackages = ['loader', 'dialog-app', 'wallet-frame', 'demo']

const demoApp = { id: 'lkdemo0000000000000000001', name: 'Fieldnotes' }
const defaultServerPort = 4000
const source = '--conditions=latchkey-source'

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
})

export const serverEnvironment = (ports: Ports): Readonly<Record<string, string | undefined>> => {
  const { dialog, wallet } = addresses(ports)
  const data = dataFolder(ports)
  // The shell's environment takes precedence, for example to try PostgreSQL or another mail server.
  return {
    DATABASE_URL: join(data, 'database', 'latchkey.sqlite'),
    MASTER_KEY_FILE: join(data, 'keys', 'master.key'),
    ...environmentAtSandbox({ http: ports.inbox, smtp: ports.smtp, chain: ports.chain }),
    // No load balancer has to notice the shutdown.
    DRAIN_MS: '0',
    ...process.env,
    PORT: String(ports.server),
    DIALOG_ORIGIN: dialog,
    WALLET_ORIGIN: wallet,
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

/** Creates the demo's app once, with everything the sandbox offers. Later starts keep its settings. */
const seedDemoApp = async (ports: Ports) => {
  const cli = async (...args: string[]) => {
    const { ok, output } = await run(
      process.execPath,
      [source, 'server/start/commands/latchkey.ts', 'app', ...args],
      {
        env: serverEnvironment(ports),
      },
    )
    return ok ? output : endWithWords(`The demo's app could not be created:\n${output}`)
  }
  const { demo, otherDemo } = addresses(ports)
  const printed = await cli(
    ...['create', '--if-missing'],
    ...['--id', demoApp.id],
    ...['--name', demoApp.name],
    ...['--origin', demo],
    ...['--origin', otherDemo],
  )
  if (!printed.includes('App id:')) return
  const { chain } = addresses(ports)
  await cli(
    ...['set', demoApp.id],
    ...[`logo_url=${logo()}`, `icon_url=${logo()}`],
    ...settingsAtSandbox(chain),
  )
  await cli('enable', demoApp.id, 'all')
}

const programs = (ports: Ports, { watch }: Pick<Options, 'watch'>) => {
  const node = watch ? ['--watch', '--watch-preserve-output'] : []
  return [
    {
      name: 'sandbox',
      args: [
        ...[...node, 'sandbox/main.ts'],
        ...['--http-port', String(ports.inbox)],
        ...['--smtp-port', String(ports.smtp)],
        ...['--chain-port', String(ports.chain)],
      ],
      at: { port: ports.inbox, host: 'sandbox.localhost', path: '/healthz' },
    },
    {
      name: 'server',
      args: [...node, source, 'server/start/main.ts'],
      env: serverEnvironment(ports),
      at: { port: ports.server, host: 'dialog.localhost', path: '/readyz' },
    },
    {
      name: 'demo',
      args: [
        ...[...node, 'demo/main.ts'],
        ...['--port', String(ports.demo)],
        ...['--dialog-url', addresses(ports).dialog],
        ...['--inbox-url', addresses(ports).inbox],
        ...['--app-id', demoApp.id],
      ],
      at: { port: ports.demo, host: 'demo.localhost', path: '/' },
    },
  ]
}

const printAddresses = (ports: Ports) => {
  const { demo, inbox, dialog, wallet, chain } = addresses(ports)
  say(`
Demo: ${demo}
Inbox: ${inbox}  (every mail and text message that is sent arrives here)
Phone: ${inbox}/phone  Chain: ${inbox}/chain  Providers: ${inbox}/providers
Dialog: ${dialog}
Wallet frame: ${wallet}
Node of the chain: ${chain}
`)
}

type Options = { watch: boolean; onRunning: () => void }

/** Starts everything, prints the addresses and runs until a signal. Calls `onRunning` once everything runs. */
export const runLocalProduct = async ({
  watch = false,
  onRunning = () => {},
}: Partial<Options> = {}): Promise<void> => {
  const ports = localPorts()
  const logFolder = join(dataFolder(ports), 'logs')

  let ending = false
  const end = async (code: number) => {
    if (ending) return
    ending = true
    await children.stop()
    process.exit(code)
  }
  const children = createChildren({
    logFolder,
    onDeath: ({ name, how, lines }) => {
      if (ending) return
      console.error(`\nThe ${name} stopped (${how}), so everything stops. Its last lines:\n`)
      console.error(lines.join('\n').replace(/^/gm, '  '))
      console.error(`\nThe full log: ${join(logFolder, `${name}.log`)}`)
      end(1)
    },
  })
  const endWhenTold = () => {
    if (!ending) say('\nStopping')
    end(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, endWhenTold)
  onOrphaned(endWhenTold)

  say('Starting the sandbox, the server and the demo')
  await seedDemoApp(ports)
  if (ending) return
  const all = programs(ports, { watch })
  for (const program of all) children.start(program)
  for (const { name, at } of all) {
    if (await children.waitFor(name, at)) continue
    console.error(`The ${name} did not start in time. See its log: ${join(logFolder, `${name}.log`)}`)
    return end(1)
  }
  if (ending) return
  printAddresses(ports)
  onRunning()
}
