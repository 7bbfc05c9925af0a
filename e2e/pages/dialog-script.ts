/**
 * A malicious script in the dialog's page, from a bad package or an injection. It has the dialog's tokens,
 * key handle, messages and wallet frame channel. Its accomplice outside the browser can send any header.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import type { BrowserContext, Frame, Page } from '@playwright/test'
import { type ApiResponse, type Connections, openConnections } from '../client/http.ts'
import type { Place } from '../client/user.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { asText } from './recorded-messages.ts'

export function getDialog(page: Page, { dialogOrigin }: Stack): Frame {
  const frame = page.frames().find((candidate) => candidate.url().startsWith(`${dialogOrigin}/apps/`))
  if (!frame) throw new Error('No dialog frame found')
  return frame
}

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

type Call = {
  url: string
  token: string
  body: string
  requestId: string
}

/** Reads the token from the page of the script. */
export const readToken = (dialog: Frame) =>
  dialog.evaluate(
    (name) => JSON.parse(localStorage.getItem(name) ?? '{}').accessToken as string,
    `latchkey:${appId}:session`,
  )

/** Signs a proof with the dialog's key, which the script can use but not copy. */
export const signProof = (dialog: Frame, call: Call) =>
  dialog.evaluate(
    async ([{ url, token, body, requestId }, databaseName]) => {
      const text = (bytes: ArrayBuffer | Uint8Array) =>
        btoa(String.fromCharCode(...new Uint8Array(bytes)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '')
      const bytes = (value: string) => new TextEncoder().encode(value)
      const hash = async (value: string) => text(await crypto.subtle.digest('SHA-256', bytes(value)))
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(databaseName)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      const { privateKey, publicKey } = await new Promise<CryptoKeyPair>((resolve) => {
        const request = database.transaction('keys').objectStore('keys').get('session-proof')
        request.onsuccess = () => resolve(request.result)
      })
      const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
      const claims = {
        jti: requestId,
        htm: 'POST',
        htu: url,
        iat: Math.floor(Date.now() / 1_000),
        ath: await hash(token),
        bth: await hash(body),
      }
      const parts = [{ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }, claims]
      const signed = parts.map((part) => text(bytes(JSON.stringify(part)))).join('.')
      const signature = await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        privateKey,
        bytes(signed),
      )
      const dialogKey = await hash(JSON.stringify({ crv, kty, x, y }))
      return { proof: `${signed}.${text(signature)}`, dialogKey }
    },
    [call, `latchkey:${appId}:keys`] as const,
  )

export const readDialogKey = async (dialog: Frame): Promise<string> =>
  (await signProof(dialog, { url: '', token: '', body: '', requestId: '' })).dialogKey

/** Returns the user id, which is in every token. */
export async function readUserId(dialog: Frame): Promise<string> {
  const [, claims = ''] = (await readToken(dialog)).split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).sub
}

export async function createVaultKey() {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])
  return Buffer.from(await crypto.subtle.exportKey('raw', pair.publicKey)).toString('base64url')
}

/** Seals a private key to the vault of an import page, like the dialog does for a host page. */
export async function sealKeyText(vaultPublicKey: string, text: string) {
  const recipientPublicKey = await suite.kem.deserializePublicKey(Buffer.from(vaultPublicKey, 'base64url'))
  const info = new TextEncoder().encode('latchkey/imported-key/to-vault/1')
  const { enc, ct } = await suite.seal({ recipientPublicKey, info }, new TextEncoder().encode(text))
  const written = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')
  return { v: 1, enc: written(enc), ct: written(ct) }
}

/** Creates a random handle for a request or a window. */
export const newHandle = () => randomBytes(32).toString('base64url')

/** An accomplice outside the browser, with keys of its own. */
export const accompliceAt = ({ serverPort, dialogOrigin, walletOrigin, sandboxUrl }: Stack): Place => ({
  connections: openConnections(serverPort, 1),
  dialogOrigin: new URL(dialogOrigin).origin,
  walletOrigin: new URL(walletOrigin).origin,
  sandboxUrl,
  appId,
})

/** Calls the server like the dialog, with its token and proof. The accomplice may send any origin. */
export const sender =
  (dialog: Frame, connections: Connections) =>
  async (
    origin: string,
    path: string,
    content: object,
    bearer: string,
    statement?: string,
  ): Promise<ApiResponse> => {
    const body = JSON.stringify(content)
    const requestId = randomUUID()
    const url = `${origin}/api/v1${path}`
    const { proof } = await signProof(dialog, { url, token: bearer, body, requestId })
    return connections.post(origin, `/api/v1${path}`, body, {
      'latchkey-app-id': appId,
      'latchkey-request-id': requestId,
      authorization: `Bearer ${bearer}`,
      dpop: proof,
      ...(statement !== undefined && { 'latchkey-device': statement }),
    })
  }

/**
 * Runs before the dialog's scripts. Captures every port, and records the messages of all windows, ports and
 * channels, the API calls and their responses. A login carries the statement of `__restate`, if a test
 * defines it.
 */
const eavesdropper = `{
  const asText = ${asText}
  const heard = []
  const ports = new Map()
  const note = (data) => { try { heard.push(asText(data)) } catch {} }
  globalThis.__hostile = { heard, ports }
  const hear = (port) => port.addEventListener('message', ({ data }) => note(data))
  const { postMessage, start } = MessagePort.prototype
  MessagePort.prototype.start = function () { hear(this); return start.call(this) }
  MessagePort.prototype.postMessage = function (data, ...rest) {
    note(data)
    if (data?.namespace === 'penpal') ports.set(data.channel, this)
    return postMessage.call(this, data, ...rest)
  }
  addEventListener('message', ({ data, ports: passed }) => { note(data); passed.forEach(hear) }, true)
  addEventListener('storage', ({ newValue }) => note(newValue))
  for (const name of ['latchkey:recovery:cloud', 'latchkey', 'latchkey:${appId}']) {
    new BroadcastChannel(name).onmessage = ({ data }) => note(data)
  }
  const ask = fetch
  globalThis.fetch = async (input, given) => {
    const init = { ...given, headers: new Headers(given?.headers) }
    const url = String(input.url ?? input)
    note([url, init.body])
    const stated = init.headers.get('latchkey-device')
    if (globalThis.__restate && url.endsWith('/passwordless/authenticate') && stated) {
      init.headers.set('latchkey-device', await __restate(stated))
    }
    const answer = await ask(input, init)
    answer.clone().text().then(note, () => {})
    return answer
  }
}`

/** Must be called before the host page opens. */
export async function injectScript(context: BrowserContext, { dialogOrigin }: Stack) {
  if (infected.has(context)) return
  infected.add(context)
  await context.addInitScript(
    `if (location.origin === ${JSON.stringify(new URL(dialogOrigin).origin)}) ${eavesdropper}`,
  )
}
/** Contexts with the script. An init script stays for the life of its context. */
const infected = new WeakSet<BrowserContext>()

type Hostile = { heard: readonly string[]; ports: ReadonlyMap<string, MessagePort> }

/** Returns everything that the script has recorded, and the storage of its page. */
export const readRecords = (dialog: Frame): Promise<string> =>
  dialog.evaluate(() => {
    const { heard }: Hostile = Reflect.get(globalThis, '__hostile')
    return JSON.stringify([heard, { ...localStorage }, { ...sessionStorage }, document.cookie])
  })

type FrameResponse = { data?: Record<string, unknown>; error?: object }

/** Calls the wallet frame over the dialog's channel, which cannot tell callers apart. */
export const callFrame = (dialog: Frame, name: string, data: object): Promise<FrameResponse> =>
  dialog.evaluate(
    ([event, given]) =>
      new Promise<FrameResponse>((resolve, reject) => {
        const { ports }: Hostile = Reflect.get(globalThis, '__hostile')
        const channel = 'latchkey:wallet'
        const port = ports.get(channel)
        if (!port) return reject(new Error('The dialog has not opened its channel to the wallet frame yet'))
        const id = crypto.randomUUID()
        port.addEventListener('message', ({ data: answer }) => {
          if (answer.callId === id) resolve(answer.value)
        })
        const args = [{ v: 1, id, event, data: given }]
        port.postMessage({ namespace: 'penpal', channel, type: 'CALL', id, methodPath: ['call'], args })
      }),
    [`latchkey:${name}`, data] as const,
  )

/** Opens a named window with a real user click, and keeps its reference in the global `held`. */
export async function openHeld(dialog: Frame, address: string): Promise<Page> {
  const context = dialog.page().context()
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    dialog.evaluate((url) => {
      Object.assign(globalThis, { held: open(url, 'a-name-of-its-own', 'popup,width=480,height=640') })
    }, address),
  ])
  return opened
}
