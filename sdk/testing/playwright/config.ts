/** The Playwright configuration: the product as a web server, and Chromium with the settings of real users. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  defaultAppId,
  freePorts,
  type Ports,
  type ProductAddresses,
  parsePorts,
  productAddresses,
} from '@latchkey/sandbox'
import { partitionedStorageArgs } from './chromium.ts'

export type LatchkeyOptions = {
  /** The origin of your app, such as `http://localhost:5173`, or several. */
  origin: string | string[]
  /** The name of your app in the dialog. */
  appName?: string
  /** The app id: 25 lower-case letters and digits. */
  appId?: string
  /** App settings as for `npm run app -- set`. */
  settings?: string[]
  /** The enabled login methods. Defaults to all. */
  methods?: string[]
}

export type LatchkeyConfig = {
  product: ProductAddresses
  /** For `webServer`: starts the product before your tests and ends it after them. */
  webServer: {
    command: string
    url: string
    reuseExistingServer: false
    timeout: number
    gracefulShutdown: { signal: 'SIGTERM'; timeout: number }
  }
  /** For `use`: the addresses of the product, for the fixtures. */
  use: { latchkeyProduct: ProductAddresses }
  /** For `use` of a Chromium project: storage is partitioned and pop-ups are blocked, as for real users. */
  chromium: {
    launchOptions: { args: string[]; ignoreDefaultArgs: string[] }
  }
}

/**
 * Playwright loads the configuration in each of its processes. The first one chooses the ports, and the others
 * inherit them.
 */
const variable = 'LATCHKEY_TESTING_PORTS'

async function choosePorts(): Promise<Ports> {
  const chosen = process.env[variable]
  if (chosen !== undefined) return parsePorts(JSON.parse(chosen))
  const ports = await freePorts()
  process.env[variable] = JSON.stringify(ports)
  return ports
}

export async function latchkey(options: LatchkeyOptions): Promise<LatchkeyConfig> {
  const { appId = defaultAppId, appName, settings = [], methods = [] } = options
  const ports = await choosePorts()
  const product = productAddresses(ports, appId)
  const sandbox = dirname(createRequire(import.meta.url).resolve('@latchkey/sandbox/package.json'))
  const each = (name: string, values: string[]) => values.flatMap((value) => [name, value])
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
      command: [process.execPath, ...args].map(quoteForShell).join(' '),
      url: product.readyUrl,
      reuseExistingServer: false,
      timeout: 120_000,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    },
    use: { latchkeyProduct: product },
    chromium: {
      // This check would prompt before pages may access localhost, where everything runs.
      launchOptions: {
        args: partitionedStorageArgs('LocalNetworkAccessChecks'),
        ignoreDefaultArgs: ['--disable-popup-blocking'],
      },
    },
  }
}

/** Quotes an argument for the shell. */
const quoteForShell = (argument: string) =>
  process.platform === 'win32' ? JSON.stringify(argument) : `'${argument.replaceAll("'", `'\\''`)}'`
