import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { type Hex, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { localPorts } from '../scripts/ports.mjs'
import { HostPage } from './pages/host-page.ts'
import { type Inbox, openInbox } from './stack/inbox.ts'
import { startStack } from './stack/stack.ts'
import { expect, test } from './test.ts'

/** Entropy of all 0x0b, and what BIP-39 and BIP-44 make of it (computed by a library that the product does not use for it). */
const entropy = new Uint8Array(16).fill(0x0b)
const mnemonic = 'arch flame security bid radar machine club gesture arch flame security bike'

/** The vault's one source of entropy says the known bytes; everything else stays random. */
const fixedEntropy = `{
  const random = crypto.getRandomValues.bind(crypto)
  Object.defineProperty(crypto, 'getRandomValues', {
    value: (array) => {
      if (array.length === 16) return array.fill(0x0b)
      return random(array)
    },
  })
}
`

/** Every way in which a message leaves a document, of every frame: windows, ports, workers. */
const recordMessages = `{
  const record = (data) => {
    const seen = new Set()
    try {
      self.__record?.(location.origin, JSON.stringify(data, (_, value) => {
        if (typeof value === 'bigint') return String(value)
        if (ArrayBuffer.isView(value)) return Array.from(value)
        if (value instanceof ArrayBuffer) return Array.from(new Uint8Array(value))
        if (typeof value === 'object' && value !== null) { if (seen.has(value)) return null; seen.add(value) }
        return value
      }) ?? '')
    } catch {}
  }
  for (const prototype of [MessagePort.prototype, Worker.prototype, BroadcastChannel.prototype]) {
    const { postMessage } = prototype
    prototype.postMessage = function (data, ...rest) { record(data); return postMessage.call(this, data, ...rest) }
  }
  addEventListener('message', (event) => record(event.data), true)
}
`

type Trace = { readonly where: string; readonly text: string }

function watch(page: Page): Trace[] {
  const traces: Trace[] = []
  page.on('console', (message) => traces.push({ where: 'console', text: message.text() }))
  page.on('request', (request) => {
    traces.push({ where: 'URL', text: request.url() })
    traces.push({ where: `headers of ${request.url()}`, text: JSON.stringify(request.headers()) })
    const body = request.postData()
    if (body) traces.push({ where: `body of ${new URL(request.url()).pathname}`, text: body })
  })
  return traces
}

const forms = (bytes: Uint8Array) => {
  const buffer = Buffer.from(bytes)
  return [
    buffer.toString('hex'),
    buffer.toString('base64').replace(/=+$/, ''),
    buffer.toString('base64url'),
    JSON.stringify([...bytes]).slice(1, -1),
  ]
}

/** The shipped frame, with a vault whose entropy is known. */
function frameWithCanary(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'latchkey-canary-')), 'dist')
  cpSync(new URL('../wallet-frame/dist', import.meta.url), folder, { recursive: true })
  const vaults = readdirSync(folder).filter((name) => /^vault.*\.js$/.test(name))
  expect(vaults).toHaveLength(1)
  for (const name of vaults) {
    const file = join(folder, name)
    writeFileSync(file, fixedEntropy + readFileSync(file, 'utf8'))
    // Else the server would send the one that is shipped, compressed.
    for (const packed of ['.br', '.gz']) rmSync(file + packed, { force: true })
  }
  return folder
}

test('no secret is in a message, URL, header, body, log or the storage of the host', async ({
  page,
  context,
}) => {
  const walletDist = frameWithCanary()
  const stack = await startStack(localPorts().server + 200 + test.info().parallelIndex * 50, { walletDist })
  try {
    await searchForSecrets(new HostPage(page, stack), openInbox(stack.sandboxUrl), context)
  } finally {
    await stack.stop()
    rmSync(dirname(walletDist), { recursive: true })
  }
})

async function searchForSecrets(host: HostPage, inbox: Inbox, context: BrowserContext) {
  const { page, stack } = host
  const account = mnemonicToAccount(mnemonic)
  const key: Hex = toHex(account.getHdKey().privateKey ?? new Uint8Array())
  const traces = watch(page)
  const refreshTokens = new Set<string>()
  page.on('response', async (response) => {
    if (!/\/api\/v1\/(sessions|passwordless\/authenticate)/.test(response.url())) return
    const body: unknown = await response.json().catch(() => undefined)
    const token = body && typeof body === 'object' && 'refresh_token' in body ? body.refresh_token : undefined
    if (typeof token === 'string') refreshTokens.add(token)
  })
  await context.exposeFunction('__record', (origin: string, text: string) => {
    traces.push({ where: `message in ${origin}`, text })
  })
  await context.addInitScript(recordMessages)

  await host.open()
  await host.openLogin()
  await host.askForCode(inbox.address)
  const code = await inbox.nextCode()
  await host.typeCode(code)
  await expect(host.byTestId('user-email')).toHaveText(inbox.address, { timeout: 20_000 })
  // Else the search below would look for secrets that nobody had.
  expect((await host.walletAddress()).toLowerCase()).toBe(account.address.toLowerCase())
  await host.dialogCloses()
  await host.sign('Nothing of the key in here')
  await page.reload()
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)

  const { origins } = await context.storageState({ indexedDB: true })
  for (const { origin, ...kept } of origins) {
    if (origin !== stack.dialogOrigin)
      traces.push({ where: `storage of ${origin}`, text: JSON.stringify(kept) })
  }
  traces.push({ where: 'logs', text: stack.logs() })

  expect(refreshTokens.size).toBeGreaterThan(0)
  const messages = traces.filter(({ where }) => where.startsWith('message in'))
  expect(messages.some(({ text }) => text.includes('latchkey:wallet:create'))).toBe(true)
  const never = [...forms(entropy), ...forms(Buffer.from(key.slice(2), 'hex')), mnemonic]
  const hits = traces.flatMap(({ where, text }) => [
    ...never.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${where}`),
    ...[...refreshTokens]
      .filter((token) => text.includes(token) && where !== 'body of /api/v1/sessions')
      .map((token) => `refresh token ${token.slice(0, 8)}… in ${where}`),
  ])
  expect(hits).toEqual([])
  const logged = stack.logs('server')
  expect(logged).not.toContain(inbox.address)
  expect(logged.split('\n').filter((line) => new RegExp(`\\b${code}\\b`).test(line))).toEqual([])
}
