/** What a Playwright configuration needs: the product beside the app that is tested, and a Chromium that people have. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  addressesOf,
  defaultAppId,
  freePorts,
  type Ports,
  type ProductAddresses,
  parsePorts,
} from '@latchkey/sandbox'
import { partitionedStorageArgs } from './chromium.ts'

export type LatchkeyOptions = {
  /** Where your app is served, as `http://localhost:5173`; several, if it has several origins. */
  origin: string | readonly string[]
  /** What the dialog calls your app. */
  appName?: string
  /** 25 lower-case letters and digits. */
  appId?: string
  /** Settings of the app, as `npm run app -- set` takes them. */
  settings?: readonly string[]
  /** The login methods that are on; all if they are not given. */
  methods?: readonly string[]
}

export type LatchkeyConfig = {
  product: ProductAddresses
  /** For `webServer`: starts the product before your tests, and ends it after them. */
  webServer: {
    command: string
    url: string
    reuseExistingServer: false
    timeout: number
    gracefulShutdown: { signal: 'SIGTERM'; timeout: number }
  }
  /** For `use`: tells the fixtures where the product is. */
  use: { latchkeyProduct: ProductAddresses }
  /** For `use` of a project with Chromium: storage is partitioned and pop-ups are blocked, as for your users. */
  chromium: {
    launchOptions: { args: string[]; ignoreDefaultArgs: string[] }
  }
}

/** Playwright loads the configuration in each of its processes: the first one chooses, the others inherit. */
const variable = 'LATCHKEY_TESTING_PORTS'

async function portsOfRun(): Promise<Ports> {
  const chosen = process.env[variable]
  if (chosen !== undefined) return parsePorts(JSON.parse(chosen))
  const ports = await freePorts()
  process.env[variable] = JSON.stringify(ports)
  return ports
}

export async function latchkey(options: LatchkeyOptions): Promise<LatchkeyConfig> {
  const { appId = defaultAppId, appName, settings = [], methods = [] } = options
  const ports = await portsOfRun()
  const product = addressesOf(ports, appId)
  const sandbox = dirname(createRequire(import.meta.url).resolve('@latchkey/sandbox/package.json'))
  const each = (name: string, values: readonly string[]) => values.flatMap((value) => [name, value])
  const args = [
    join(sandbox, 'dist', 'command-line', 'bin.js'),
    ...['--ports', JSON.stringify(ports)],
    ...['--app-id', appId],
    ...(appName === undefined ? [] : ['--app-name', appName]),
    ...each('--origin', [options.origin].flat()),
    ...each('--set', settings),
    ...each('--method', methods),
  ]
  return {
    product,
    webServer: {
      command: [process.execPath, ...args].map(quoted).join(' '),
      url: product.readyUrl,
      reuseExistingServer: false,
      timeout: 120_000,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    },
    use: { latchkeyProduct: product },
    chromium: {
      // The check asks before a page may reach this machine, which is where everything is.
      launchOptions: {
        args: partitionedStorageArgs('LocalNetworkAccessChecks'),
        ignoreDefaultArgs: ['--disable-popup-blocking'],
      },
    },
  }
}

/** For a shell, whatever the argument has in it. */
const quoted = (argument: string) =>
  process.platform === 'win32' ? JSON.stringify(argument) : `'${argument.replaceAll("'", `'\\''`)}'`
