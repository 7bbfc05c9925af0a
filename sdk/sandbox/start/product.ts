/**
 * The whole product on this machine: the server with a database of its own, its pages, and the sandbox. All of it ends,
 * and what it stored goes, with `stop()` or with the process that started it.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts, type Ports } from '../programs/ports.ts'
import { type Program, type ProgramOptions, startOperator, startProgram } from '../programs/program.ts'
import { environmentAtSandbox, settingsAtSandbox } from '../programs/third-parties.ts'

const package_ = dirname(createRequire(import.meta.url).resolve('@latchkey/sandbox/package.json'))
const programs = join(package_, 'dist', 'product')
/** A file system in memory, where the machine has one. */
const memory = '/dev/shm'
/** A server uses the settings that it has read for this long. */
const settingsKeptMs = 1_000

export const defaultAppId = 'lktest0000000000000000001'

export type ProductOptions = {
  /** The pages that may embed the dialog, as `http://localhost:3000`. */
  origins: readonly string[]
  /** 25 lower-case letters and digits, for an app that knows its id before the product is there. */
  appId?: string
  appName?: string
  /** Settings of the app as `npm run app -- set` takes them: `embedded_wallet_config.create_on_login=off`. */
  settings?: readonly string[]
  /** Login methods by name, or `all` that the sandbox has everything for, which is the default. */
  methods?: readonly string[]
  /** Free ports if they are not given. */
  ports?: Ports
  /** What the programs print goes to the console too. */
  isEchoed?: boolean
  /** More of the server's environment, as docs/operating.md lists it. */
  serverEnvironment?: Readonly<Record<string, string>>
}

/** Where everything is; text alone, so that another process can have it. */
export type ProductAddresses = {
  appId: string
  dialogUrl: string
  walletUrl: string
  /** The sandbox: mail, text messages, and all that it stands in for. */
  sandboxUrl: string
  chainUrl: string
  /** Where `runByControl` reaches a product that was started by the command `latchkey-sandbox`. */
  controlUrl: string
  /** Answers with 200 when everything is there. */
  readyUrl: string
}
export type Product = ProductAddresses & {
  /** The operator's command, as `npm run app --`; when it is done, the server uses what it has changed. */
  app: (...args: readonly string[]) => Promise<string>
  /** Rejects when one of the programs has stopped by itself. */
  died: Promise<never>
  stop: () => Promise<void>
}

export const addressesOf = (ports: Ports, appId: string): ProductAddresses => ({
  appId,
  dialogUrl: `http://dialog.localhost:${ports.server}`,
  walletUrl: `http://wallet.localhost:${ports.server}`,
  sandboxUrl: `http://127.0.0.1:${ports.http}`,
  chainUrl: `http://127.0.0.1:${ports.chain}`,
  controlUrl: `http://127.0.0.1:${ports.control}`,
  // Not every machine resolves the names below `localhost` outside of browsers.
  readyUrl: `http://127.0.0.1:${ports.server}/readyz`,
})

export async function startProduct(options: ProductOptions): Promise<Product> {
  const ports = options.ports ?? (await freePorts())
  const { appId = defaultAppId, appName = 'Your app', isEchoed = false } = options
  const addresses = addressesOf(ports, appId)
  const folder = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'latchkey-'))
  mkdirSync(join(folder, 'data'))
  const env = {
    ...environmentAtSandbox(ports),
    DATABASE_URL: join(folder, 'data', 'latchkey.sqlite'),
    MASTER_KEY_FILE: join(folder, 'keys', 'master.key'),
    MAIL_FROM: 'Latchkey <login@latchkey.test>',
    // No balancer has to notice that this ends.
    DRAIN_MS: '0',
    ...options.serverEnvironment,
    PORT: String(ports.server),
    DIALOG_ORIGIN: addresses.dialogUrl,
    WALLET_ORIGIN: addresses.walletUrl,
  }
  const running: Program[] = []
  const keep = <Started extends Program>(program: Started): Started => {
    running.push(program)
    return program
  }
  const optionsOf = (name: string, script: string): ProgramOptions => ({
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
    const sandbox = keep(startProgram({ ...optionsOf('sandbox', 'sandbox/main.js'), args: sandboxPorts }))
    const operator = keep(startOperator(optionsOf('operator', 'server/testing/operator.js')))
    const origins = options.origins.flatMap((origin) => ['--origin', origin])
    await operator.run('create', '--id', appId, '--name', appName, ...origins)
    const methods = options.methods ?? ['all']
    await operator.run('set', appId, ...settingsAtSandbox(addresses.chainUrl))
    if (methods.length > 0) await operator.run('enable', appId, ...methods)
    if (options.settings?.length) await operator.run('set', appId, ...options.settings)
    const server = keep(startProgram(optionsOf('server', 'server/start/main.js')))
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
