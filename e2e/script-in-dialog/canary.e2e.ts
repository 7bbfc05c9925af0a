import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Inbox, openInbox } from '@latchkey/sandbox'
import type { BrowserContext, Page } from '@playwright/test'
import { type Hex, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { localPorts } from '../../scripts/local/ports.ts'
import { type Cloud, clouds, rememberSecrets, signInAs } from '../pages/cloud-window.ts'
import { HostPage } from '../pages/host-page.ts'
import { beginCall } from '../pages/page-calls.ts'
import { pressGated } from '../pages/pointer.ts'
import { asText, forms, recordMessages } from '../pages/recorded-messages.ts'
import { appId, type Stack, startStack } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

/** Entropy of all 0x0b, with its BIP-39 mnemonic and BIP-44 account, computed by an independent library. */
const entropy = new Uint8Array(16).fill(0x0b)
const mnemonic = 'arch flame security bid radar machine club gesture arch flame security bike'
/**
 * Shamir shares of each entropy byte: the line through 0x0b at 0 with the slope 0x5c in GF(256). Its values
 * at 1, 2 and 3 are the bytes of the device, auth and recovery share.
 */
const slope = 0x5c
const shares = [0x57, 0xb3, 0xef].map((byte) => new Uint8Array(16).fill(byte))

/** Runs in the vault: fixes the entropy and the slopes. All other random values stay random. */
const knownSecrets = `{
  const random = crypto.getRandomValues.bind(crypto)
  Object.defineProperty(crypto, 'getRandomValues', {
    value: (array) => {
      if (array.length === 16) return array.fill(0x0b)
      if (array.length === 1) return array.fill(${slope})
      return random(array)
    },
  })
}
`

/**
 * Records messages within the vault. The vault cannot report them, so the test reads them. Also records
 * plaintexts.
 */
const recordInVault = `{
  const asText = ${asText}
  self.__heard = []
  self.__encrypted = []
  const post = self.postMessage.bind(self)
  self.postMessage = (data, ...rest) => { self.__heard.push(asText(data)); return post(data, ...rest) }
  self.addEventListener('message', (event) => self.__heard.push(asText(event.data)))
  const encrypt = crypto.subtle.encrypt.bind(crypto.subtle)
  crypto.subtle.encrypt = (how, key, bytes) => { self.__encrypted.push(asText(bytes)); return encrypt(how, key, bytes) }
}
`

type Trace = { where: string; text: string }

/** Records the traffic of every window. */
function watch(context: BrowserContext): Trace[] {
  const traces: Trace[] = []
  context.on('console', (message) => traces.push({ where: 'console', text: message.text() }))
  context.on('request', (request) => {
    const { pathname, origin } = new URL(request.url())
    traces.push({ where: `URL at ${origin}`, text: request.url() })
    traces.push({ where: `headers to ${origin}`, text: JSON.stringify(request.headers()) })
    const body = request.postData()
    if (body) traces.push({ where: `body of ${pathname}`, text: body })
  })
  return traces
}

/** Builds the shipped wallet frame with a vault whose secrets are known. */
function frameWithCanary(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'latchkey-canary-')), 'dist')
  cpSync(new URL('../../wallet-frame/dist', import.meta.url), folder, { recursive: true })
  const vaults = readdirSync(folder).filter((name) => /^vault.*\.js$/.test(name))
  expect(vaults).toHaveLength(1)
  for (const name of vaults) {
    const file = join(folder, name)
    writeFileSync(file, knownSecrets + recordInVault + readFileSync(file, 'utf8'))
    // Otherwise the server would send the compressed original.
    for (const packed of ['.br', '.gz']) rmSync(file + packed, { force: true })
  }
  return folder
}

const optionsOfClouds = 'embedded_wallet_config.user_owned_recovery_options=["google-drive","icloud"]'

for (const mode of ['storage', 'cookie'] as const) {
  test(`no secret leaks to a message, URL, header, body, log or host storage in ${mode} mode`, async ({
    page,
    context,
  }) => {
    // Uses two clouds, one after the other.
    test.setTimeout(240_000)
    const walletDist = frameWithCanary()
    const stack = await startStack(localPorts().server + 300 + test.info().parallelIndex * 50, { walletDist })
    try {
      await stack.app('set', appId, `session_mode=${mode}`, optionsOfClouds)
      await searchForSecrets(new HostPage(page, stack), openInbox(stack.sandboxUrl), context, mode)
    } finally {
      await stack.stop()
      rmSync(dirname(walletDist), { recursive: true })
    }
  })
}

/** Collects the tokens that the server sends to our pages. */
function collectTokens(page: Page, stack: Stack) {
  const tokens = { refresh: new Set<string>(), dialog: new Set<string>(), wallet: new Set<string>() }
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/api/v1/')) return
    const body: unknown = await response.json().catch(() => undefined)
    const keep = (name: string, of: unknown, kept: Set<string>) => {
      const token: unknown = Object(of)[name]
      if (typeof token === 'string') kept.add(token)
    }
    keep('refresh_token', body, tokens.refresh)
    keep('token', body, pathname === '/api/v1/wallets/token' ? tokens.wallet : tokens.dialog)
    keep('token', Object(body).wallet_token, tokens.wallet)
  })
  const fromCookies = async (context: BrowserContext) => {
    for (const { name, value } of await context.cookies(stack.dialogOrigin)) {
      if (name.startsWith('__Host-latchkey-refresh-')) tokens.refresh.add(value)
    }
  }
  return { tokens, fromCookies }
}

/** Signs in to the cloud and sets it as the recovery method. */
async function keepIn(cloud: Cloud, host: HostPage, context: BrowserContext) {
  const { title } = clouds[cloud]
  const set = await beginCall(host.page, 'setWalletRecovery')
  await host.shown.getByRole('button', { name: new RegExp(`${title} backup`) }).click()
  const window = await signInAs(context, host, 'Somebody with a wallet')
  await pressGated(window.getByRole('button', { name: `Use ${title}`, exact: true }))
  const done = host.shown.getByRole('button', { name: 'All done' })
  await done.click({ timeout: 30_000 })
  expect(await set()).not.toHaveProperty('code')
  await host.dialogCloses()
}

async function searchForSecrets(
  host: HostPage,
  inbox: Inbox,
  context: BrowserContext,
  mode: 'storage' | 'cookie',
) {
  const { page, stack } = host
  const { dialogOrigin, walletOrigin, hostOrigin } = stack
  const account = mnemonicToAccount(mnemonic)
  const key: Hex = toHex(account.getHdKey().privateKey ?? new Uint8Array())
  const traces = watch(context)
  const ofClouds = rememberSecrets(context)
  const { tokens, fromCookies } = collectTokens(page, stack)
  await context.exposeFunction('__record', (where: string, text: string) => {
    traces.push({ where: `message ${where}`, text })
  })
  await context.addInitScript(recordMessages)
  let encrypted = ''
  const askVaults = async () => {
    // A service worker could intercept messages. There must be none, and no worker except the vault.
    expect(context.serviceWorkers()).toEqual([])
    for (const worker of page.workers()) {
      expect(worker.url()).toMatch(/\/vault[^/]*\.js$/)
      const said = await worker.evaluate(() => ({
        heard: JSON.stringify(Reflect.get(self, '__heard')),
        encrypted: JSON.stringify(Reflect.get(self, '__encrypted')),
      }))
      traces.push({ where: 'message of the vault', text: said.heard })
      encrypted += said.encrypted
    }
  }

  await host.open()
  await host.openLogin()
  await host.askForCode(inbox.address)
  const code = await inbox.nextCode()
  await host.typeCode(code)
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  await fromCookies(context)
  // Otherwise the search below would look for the wrong secrets.
  expect((await host.walletAddress()).toLowerCase()).toBe(account.address.toLowerCase())
  await host.dialogCloses()
  await host.sign('Nothing of the key in here')
  await askVaults()
  const [device = new Uint8Array()] = shares
  expect(encrypted).toContain(JSON.stringify([...device]).slice(1, -1))
  await host.openOneLine()
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  await fromCookies(context)
  for (const cloud of ['google-drive', 'icloud'] as const) await keepIn(cloud, host, context)
  await askVaults()

  const { origins } = await context.storageState({ indexedDB: true })
  for (const { origin, ...kept } of origins) {
    if (origin !== dialogOrigin) traces.push({ where: `storage of ${origin}`, text: JSON.stringify(kept) })
  }
  traces.push({ where: 'logs of the server', text: stack.logs('server') })
  traces.push({ where: 'logs of the demo', text: stack.logs('demo') })

  expect([...ofClouds.keys()]).toEqual(['google-drive', 'icloud'])
  for (const kind of Object.values(tokens)) expect(kind.size).toBeGreaterThan(0)
  const messages = traces.filter(({ where }) => where.startsWith('message'))
  expect(messages.some(({ text }) => text.includes('latchkey:wallet:create'))).toBe(true)
  for (const where of [`message heard by ${hostOrigin}`, `message heard by ${walletOrigin}`]) {
    expect(messages.map((message) => message.where)).toContain(where)
  }

  type Secret = { name: string; text: string | RegExp; mayBeIn: readonly string[] }
  const named = (name: string, texts: Iterable<string>, mayBeIn: readonly string[] = []): readonly Secret[] =>
    Array.from(texts, (text) => ({ name, text, mayBeIn }))
  const betweenPagesOfWallet = [`message sent by ${walletOrigin}`, `message heard by ${walletOrigin}`]
  const atClouds = new URL(stack.visitedSandboxUrl).origin
  const betweenOurPages = [`message sent by ${dialogOrigin}`, `message heard by ${walletOrigin}`]
  const secrets: readonly Secret[] = [
    ...named('the entropy', forms(entropy)),
    ...named('the key', forms(Buffer.from(key.slice(2), 'hex'))),
    ...named('the mnemonic', [mnemonic]),
    ...shares.flatMap((share) => named('a share', forms(share))),
    ...named('a refresh token', tokens.refresh, mode === 'storage' ? ['body of /api/v1/sessions'] : []),
    ...named('a dialog token', tokens.dialog, [`headers to ${dialogOrigin}`]),
    ...named('a wallet token', tokens.wallet, [...betweenOurPages, `headers to ${walletOrigin}`]),
    ...named("Google's token", [ofClouds.get('google-drive') ?? ''], [`headers to ${atClouds}`]),
    ...named(
      "iCloud's session",
      [ofClouds.get('icloud') ?? ''],
      [...betweenPagesOfWallet, `URL at ${atClouds}`],
    ),
    // Matches whole numbers, because six digits may be part of any text.
    {
      name: 'the code',
      text: new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`),
      mayBeIn: ['body of /api/v1/passwordless/authenticate'],
    },
  ]
  const isIn = ({ text }: Secret, trace: Trace) =>
    typeof text === 'string' ? trace.text.includes(text) : text.test(trace.text)
  const hits = secrets.flatMap((secret) => {
    const found = traces.filter((trace) => isIn(secret, trace))
    const wrong = found.filter(({ where }) => !secret.mayBeIn.includes(where))
    return wrong.map(({ where }) => `${secret.name} in ${where}`)
  })
  expect([...new Set(hits)]).toEqual([])
  // Every secret must also occur where it is allowed, which proves that the search finds it. Tokens are not
  // refreshed here.
  const seen = secrets.filter((secret) => traces.some((trace) => isIn(secret, trace)))
  expect(new Set(seen.map(({ name }) => name))).toEqual(
    new Set(['a dialog token', 'a wallet token', "Google's token", "iCloud's session", 'the code']),
  )
  expect(stack.logs('server')).not.toContain(inbox.address)
}
