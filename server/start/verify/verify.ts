/**
 * Compares the pages, scripts and policies of a running server with the files of this release. The configuration in a
 * page differs between apps, so it is taken from the page itself: it contains settings and origins, and no code.
 */
import {
  type DialogInlineConfig,
  dialogInlineConfigSchema,
  type WalletInlineConfig,
  walletInlineConfigSchema,
} from '@latchkey/protocol'
import { openWindowPage, walletPages } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { type BuiltFile, readBuiltFolder } from '../../kernel/built-files.ts'
import type { ServerConfig } from '../../kernel/config.ts'
import {
  confirmPolicy,
  crossAppPolicy,
  exportPolicy,
  recoveryPolicy,
  vaultPolicy,
  walletPagePolicy,
  walletPolicy,
} from '../../kernel/http/pages/headers.ts'
import { loaderName, moduleName } from '../../pages/loaders/loaders.ts'
import { isVaultScript } from '../../pages/pages/routes.ts'
import {
  readConfigText,
  withConfigText,
  withIcon,
  withPreconnect,
  withSettings,
} from '../../pages/pages/template.ts'
import { verifyLimits } from './limits.ts'

/** A response without redirects. `policy` is its content security policy, or empty. */
export type Received = { status: number; policy: string; body: Buffer }
export type Request = (address: string, headers: Readonly<Record<string, string>>) => Promise<Received>

export type Verification = {
  /** The origin of the wallet, as the dialog names it. */
  walletOrigin: string
  /** The number of addresses that were compared. */
  compared: number
  differences: Difference[]
  /** The origins beside its own from which the dialog may load scripts. */
  scriptSources: string[]
}
export type Difference = { address: string; problem: string }

type Folders = Pick<ServerConfig, 'dialogDist' | 'walletDist' | 'loaderDist'>
type Server = { dialogOrigin: string; appId: string; folders: Folders; request: Request }

/** An address, and a check that returns the problem of its response. */
type Comparison = {
  address: string
  headers?: Readonly<Record<string, string>>
  check: (received: Received) => string | undefined
}

/** The form of a handle. The page is the same for each. */
const anyHandle = 'A'.repeat(43)
/** The headers of a browser that opens the page from the dialog. */
const openedByDialog = {
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

export async function verifyServer({ dialogOrigin, appId, folders, request }: Server): Promise<Verification> {
  const dialog = readBuiltFolder(folders.dialogDist)
  const wallet = readBuiltFolder(folders.walletDist)
  const loader = readBuiltFolder(folders.loaderDist)
  const app = `${dialogOrigin}/apps/${appId}`
  const { config, received } = await fetchDialog(`${app}/dialog`, request)
  const { walletOrigin } = config
  const walletApp = `${walletOrigin}/apps/${appId}`

  const dialogPage = (file: string): Comparison['check'] =>
    comparePage(dialog.pages.get(file), dialogInlineConfigSchema, fillDialog, checkDialogPolicy)
  const passkeyPage = comparePage(
    dialog.pages.get('/passkey.html'),
    dialogInlineConfigSchema,
    (html, { app }) => withIcon(html, app.iconUrl),
    checkDialogPolicy,
  )
  const walletFile = (file: string, policy: (config: WalletInlineConfig) => string): Comparison['check'] =>
    comparePage(wallet.pages.get(file), walletInlineConfigSchema, (html) => html, compareWalletPolicy(policy))
  const framed = ({ hostOrigins }: WalletInlineConfig) =>
    walletPagePolicy([config.dialogOrigin, ...hostOrigins])

  const comparisons: Comparison[] = [
    { address: `${app}/dialog?open=1`, check: dialogPage('/open.html') },
    { address: `${app}/passkey/${anyHandle}`, headers: openedByDialog, check: passkeyPage },
    {
      address: `${walletApp}/embedded-wallets`,
      check: walletFile('/index.html', (page) =>
        walletPolicy({
          ancestors: [config.dialogOrigin, ...page.hostOrigins],
          customApiUrl: config.app.customApiUrl,
          clouds: cloudOrigins(page),
        }),
      ),
    },
    { address: `${walletApp}/confirm`, check: walletFile('/confirm/index.html', () => confirmPolicy) },
    {
      address: `${walletApp}/recovery`,
      check: walletFile('/recovery-window/index.html', () => recoveryPolicy),
    },
    {
      address: `${walletApp}/embedded-wallets/export`,
      check: walletFile('/export/index.html', () => exportPolicy),
    },
    {
      address: `${walletApp}/cross-app`,
      check: walletFile('/cross-app/index.html', (page) =>
        crossAppPolicy({ submitsTo: submitOrigins(config), clouds: cloudOrigins(page) }),
      ),
    },
    ...[...walletPages, openWindowPage].map((page) => ({
      address: `${walletApp}/embedded-wallets/${page}`,
      check: walletFile(`/${page}/index.html`, framed),
    })),
    ...[...dialog.files.values()].map((file) => compareFile(dialogOrigin, file)),
    ...[...wallet.files.values()].map((file) => compareFile(walletOrigin, file)),
    ...[loaderName, moduleName].map((name) => ({
      address: `${dialogOrigin}/loader/v1/${name}`,
      check: compareContent(loader.files.get(`/${name}`)),
    })),
  ]
  const problem = dialogPage('/index.html')(received)
  const differences = await compareAll(comparisons, request)
  if (problem !== undefined) differences.unshift({ address: `${app}/dialog`, problem })
  const scriptDirective = parsePolicy(received.policy).find((directive) =>
    directive.startsWith('script-src '),
  )
  return {
    walletOrigin,
    compared: comparisons.length + 1,
    differences,
    scriptSources: scriptDirective?.split(/\s+/).filter((source) => source.includes('.')) ?? [],
  }
}

/** Throws if the address has no dialog of this product. */
async function fetchDialog(address: string, request: Request) {
  const received = await request(address, {})
  if (received.status !== 200) throw new Error(`${address} answers with status ${received.status}`)
  const config = parseConfig(dialogInlineConfigSchema, readConfigText(received.body.toString()))
  if (!config || URL.parse(config.walletOrigin)?.origin !== config.walletOrigin) {
    throw new Error(`${address} has no configuration of this release`)
  }
  return { config, received }
}

function parseConfig<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string | undefined,
): v.InferOutput<Schema> | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  return parsed.success ? parsed.output : undefined
}

/** Fills the template with the configuration of the page, and compares the result with the page. */
const comparePage =
  <Config>(
    template: string | undefined,
    schema: v.GenericSchema<unknown, Config>,
    fill: (template: string, config: Config) => string,
    checkPolicy: (policy: string, config: Config) => string | undefined,
  ): Comparison['check'] =>
  ({ body, policy }) => {
    if (template === undefined) return 'this release has no such page'
    const text = body.toString()
    const configText = readConfigText(text)
    const config = parseConfig(schema, configText)
    if (configText === undefined || config === undefined) return 'it has no configuration of this release'
    if (withConfigText(fill(template, config), configText) !== text) return 'its markup differs'
    return checkPolicy(policy, config)
  }

const fillDialog = (template: string, { walletOrigin, app, hostOrigin }: DialogInlineConfig) => {
  const filled = withSettings(withPreconnect(template, walletOrigin), app)
  return hostOrigin === null ? withIcon(filled, app.iconUrl) : filled
}

const parsePolicy = (policy: string) => policy.split(';').map((directive) => directive.trim())

/** The sources of the dialog depend on the server, for example on its captcha. */
const dialogRules = [
  "default-src 'none'",
  "base-uri 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
]
/** Inline scripts, `eval`, and sources without a host name. */
const unsafeSource = /^'(?!self'$)|^[a-z]+:(?:\/\/\*)?$|^\*/i

function checkDialogPolicy(policy: string): string | undefined {
  const directives = parsePolicy(policy)
  const missing = dialogRules.find((rule) => !directives.includes(rule))
  if (missing !== undefined) return `its policy lacks ${missing}`
  const [, ...sources] =
    directives.find((directive) => directive.startsWith('script-src '))?.split(/\s+/) ?? []
  const unsafe = sources.length === 0 ? 'no script-src' : sources.find((source) => unsafeSource.test(source))
  return unsafe === undefined ? undefined : `its policy is unsafe: ${unsafe}`
}

/** An origin that could end a directive would let the page choose its own policy. */
const hasPlainOrigins = ({ hostOrigins }: WalletInlineConfig) =>
  hostOrigins.every((origin) => /^https?:\/\/[^\s;,]+$/.test(origin))

const compareWalletPolicy =
  (expected: (config: WalletInlineConfig) => string) =>
  (policy: string, config: WalletInlineConfig): string | undefined =>
    hasPlainOrigins(config) && policy === expected(config) ? undefined : 'its policy differs'

const cloudOrigins = ({ clouds }: WalletInlineConfig) =>
  Object.values(clouds).map((address) => new URL(address).origin)

const submitOrigins = ({ dialogOrigin, app: { customApiUrl } }: DialogInlineConfig) => [
  ...new Set([dialogOrigin, ...(customApiUrl === null ? [] : [new URL(customApiUrl).origin])]),
]

const compareFile = (origin: string, file: BuiltFile): Comparison => ({
  address: `${origin}${file.path}`,
  check: compareContent(file),
})

const compareContent =
  (file: BuiltFile | undefined): Comparison['check'] =>
  ({ body, policy }) => {
    const content = file?.contents.get(file.path)
    if (!file || !content) return 'this release has no such file'
    if (!body.equals(content)) return 'its content differs'
    return isVaultScript(file.path) && policy !== vaultPolicy ? 'its policy differs' : undefined
  }

async function compareAll(comparisons: Comparison[], request: Request): Promise<Difference[]> {
  const differences: Difference[] = []
  const waiting = [...comparisons]
  const compareNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const problem = await compare(next, request)
      if (problem !== undefined) differences.push({ address: next.address, problem })
    }
  }
  await Promise.all(Array.from({ length: verifyLimits.parallelRequests }, compareNext))
  return differences
}

async function compare(
  { address, headers = {}, check }: Comparison,
  request: Request,
): Promise<string | undefined> {
  try {
    const received = await request(address, headers)
    return received.status === 200 ? check(received) : `it answers with status ${received.status}`
  } catch (error) {
    return `it does not answer (${error instanceof Error ? error.message : String(error)})`
  }
}
