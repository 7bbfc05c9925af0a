/**
 * The whole product on this machine: a server with its own database, its pages, and the sandbox. `stop()` or
 * the end of the parent process ends everything and deletes its data.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts, type Ports } from '../programs/ports.ts'
import { type Program, type ProgramOptions, startOperator, startProgram } from '../programs/program.ts'
import { createRelays, environmentAtSandbox, settingsAtSandbox } from '../programs/third-parties.ts'

const package_ = dirname(createRequire(import.meta.url).resolve('@latchkey/sandbox/package.json'))
const programs = join(package_, 'dist', 'product')
/** An in-memory file system, if the machine has one. */
const memory = '/dev/shm'
/** How long a server caches app settings. */
const settingsKeptMs = 1_000

export const defaultAppId = 'lktest0000000000000000001'

export type ProductOptions = {
  /** The origins of pages that may embed the dialog, such as `http://localhost:3000`. */
  origins: string[]
  /** 25 lower-case letters and digits, for an app with a fixed id. */
  appId?: string
  appName?: string
  /** App settings as for `npm run app -- set`: `embedded_wallet_config.create_on_login=off`. */
  settings?: string[]
  /** Login methods by name. Defaults to `all` that the sandbox supports. */
  methods?: string[]
  /** Defaults to free ports. */
  ports?: Ports
  /** Whether to copy the output of the programs to the console. */
  isEchoed?: boolean
  /** Additional environment variables of the server, as listed in docs/operating.md. */
  serverEnvironment?: Readonly<Record<string, string>>
}

/** The addresses of the product. Strings only, so that they can be passed to another process. */
export type ProductAddresses = {
  appId: string
  dialogUrl: string
  walletUrl: string
  /** The sandbox: mail, text messages and all simulated third parties. */
  sandboxUrl: string
  chainUrl: string
  /** The address at which `runByControl` reaches a product that `latchkey-sandbox` has started. */
  controlUrl: string
  /** Responds with 200 when everything is ready. */
  readyUrl: string
}
export type Product = ProductAddresses & {
  /** Runs an operator command like `npm run app --`. When it resolves, the server uses the change. */
  app: (...args: string[]) => Promise<string>
  /** Rejects when a program ends by itself. */
  died: Promise<never>
  stop: () => Promise<void>
}

export const productAddresses = (ports: Ports, appId: string): ProductAddresses => ({
  appId,
  dialogUrl: `http://dialog.localhost:${ports.server}`,
  walletUrl: `http://wallet.localhost:${ports.server}`,
  sandboxUrl: `http://127.0.0.1:${ports.http}`,
  chainUrl: `http://127.0.0.1:${ports.chain}`,
  controlUrl: `http://127.0.0.1:${ports.control}`,
  // Outside of browsers, not every machine resolves names below `localhost`.
  readyUrl: `http://127.0.0.1:${ports.server}/readyz`,
})

export async function startProduct(options: ProductOptions): Promise<Product> {
  const ports = options.ports ?? (await freePorts())
  const { appId = defaultAppId, appName = 'Your app', isEchoed = false } = options
  const addresses = productAddresses(ports, appId)
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'latchkey-'))
  mkdirSync(join(folder, 'data'))
  const env = {
    ...environmentAtSandbox(ports),
    ...createRelays(join(folder, 'keys')),
    DATABASE_URL: join(folder, 'data', 'latchkey.sqlite'),
    MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
    MAIL_FROM: 'Latchkey <login@latchkey.test>',
    // No load balancer has to notice the shutdown.
    DRAIN_MS: '0',
    ...options.serverEnvironment,
    PORT: String(ports.server),
    DIALOG_ORIGIN: addresses.dialogUrl,
    WALLET_ORIGIN: addresses.walletUrl,
  }
  const running: Program[] = []
  const track = <Started extends Program>(program: Started): Started => {
    running.push(program)
    return program
  }
  const createOptions = (name: string, script: string): ProgramOptions => ({
    name: `The ${name}`,
    script: join(programs, script),
    env,
    logFile: join(folder, `${name}.log`),
    isEchoed,
  })
  const onExit = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', onExit)
  const stop = async () => {
    await Promise.all(running.map((program) => program.stop()))
    process.removeListener('exit', onExit)
    onExit()
  }

  try {
    const sandboxPorts = [
      ...['--http-port', String(ports.http)],
      ...['--smtp-port', String(ports.smtp)],
      ...['--chain-port', String(ports.chain)],
    ]
    const sandbox = track(
      startProgram({ ...createOptions('sandbox', 'sandbox/main.js'), args: sandboxPorts }),
    )
    const operator = track(startOperator(createOptions('operator', 'server/testing/operator.js')))
    const origins = options.origins.flatMap((origin) => ['--origin', origin])
    await operator.run('create', '--id', appId, '--name', appName, ...origins)
    const methods = options.methods ?? ['all']
    await operator.run('set', appId, ...settingsAtSandbox(addresses.chainUrl))
    if (methods.length > 0) await operator.run('enable', appId, ...methods)
    if (options.settings?.length) await operator.run('set', appId, ...options.settings)
    const server = track(startProgram(createOptions('server', 'server/start/main.js')))
    await Promise.all([
      sandbox.answers(`${addresses.sandboxUrl}/healthz`),
      server.answers(addresses.readyUrl),
    ])
    const died = Promise.race(running.map((program) => program.died))
    died.catch(() => {})
    const app: Product['app'] = async (...args) => {
      const printed = await operator.run(...args)
      await sleep(settingsKeptMs)
      return printed
    }
    return { ...addresses, app, died, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
