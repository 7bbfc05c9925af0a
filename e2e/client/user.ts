/**
 * A user without a browser, for load tests. It speaks the documented protocol, creates wallets with shares of
 * real size, and records acknowledged calls.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { apiLimits, fromWire, product, toWire } from '@latchkey/protocol'
import { apiPrefix, apiRoutes, authAnswerSchema, refreshAnswerSchema } from '@latchkey/protocol/api'
import {
  canonicalShareContext,
  type SealedShare,
  type ShareContext,
  type StatementPurpose,
  sealingInfo,
  secretBytes,
  shareHead,
  type WalletPurpose,
  walletProofDigest,
} from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { toHex } from 'viem/utils'
import { type BrowserKey, createBrowserKey, signProof, signStatement } from './browser-key.ts'
import type { ApiResponse, Connections } from './http.ts'

export type Place = {
  connections: Connections
  dialogOrigin: string
  walletOrigin: string
  appId: string
  sandboxUrl: string
  /** How long a call without a response is retried. Without it, the call is sent once. */
  patienceMs?: number
}
/** A browser: the key of its tokens, the key of its vault, and its IP address for rate limits. */
export type Browser = { key: BrowserKey; device: BrowserKey; address: string }
export const createBrowser = (): Browser => ({
  key: createBrowserKey(),
  device: createBrowserKey(),
  address: `10.${Array.from({ length: 3 }, () => randomInt(256)).join('.')}`,
})
/** The tokens of a session and the browser that they are bound to. */
export type Tokens = { token: string; refreshToken: string; browser: Browser }
export type LoggedIn = Tokens & { userId: string; email: string }

/** A refusal by the server. A call without a response throws another error. */
export class RefusedError extends Error {
  readonly status: number
  constructor(path: string, status: number, body: unknown) {
    super(`${path}: ${status} ${JSON.stringify(body)}`)
    this.status = status
  }
}

const { headers } = product

export type Sender = {
  token?: string
  refreshToken?: string
  binding?: string
  browser: Browser
  /** Whether the call carries a proof: of the dialog, or of the device for wallet tokens. */
  proves?: boolean
  /** The signed statement of the device. */
  statement?: string
  /** The idempotency key: calls with the same id are one call, even from several senders. */
  requestId?: string
}

export async function call(
  place: Place,
  side: 'dialog' | 'wallet',
  path: string,
  content: unknown,
  { token, refreshToken, binding, browser, proves = true, statement, requestId = randomUUID() }: Sender,
) {
  const origin = side === 'dialog' ? place.dialogOrigin : place.walletOrigin
  const body = JSON.stringify(content)
  const provenCall = { url: origin + apiPrefix + path, requestId, body, token: refreshToken ?? token }
  // Each attempt needs its own proof.
  const send = () =>
    place.connections.post(origin, apiPrefix + path, body, {
      [headers.appId]: place.appId,
      [headers.requestId]: requestId,
      ...(binding !== undefined && { [headers.loginBinding]: binding }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(proves && { dpop: signProof(side === 'wallet' ? browser.device : browser.key, provenCall) }),
      ...(statement !== undefined && { [headers.device]: statement }),
      // The stack trusts this machine as a proxy.
      'x-forwarded-for': browser.address,
    })
  const answer = await sendUntilAnswered(send, place.patienceMs ?? 0)
  if (answer.status >= 300) throw new RefusedError(path, answer.status, answer.body)
  return answer.body
}

const firstPauseMs = 100
const longestPauseMs = 2_000

/** Retries a call until it has a response or the time is over. */
async function sendUntilAnswered(send: () => Promise<ApiResponse>, patienceMs: number): Promise<ApiResponse> {
  const giveUpAt = performance.now() + patienceMs
  const isRetried = ({ status }: ApiResponse) =>
    apiLimits.retriedStatuses.some((retried) => retried === status)
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const isLast = performance.now() + pauseMs > giveUpAt
    try {
      const answer = await send()
      if (isLast || !isRetried(answer)) return answer
    } catch (error) {
      if (isLast) throw error
    }
    await sleep(pauseMs)
  }
}

/** A login that has started: the e-mail address and the binding of both calls. */
export type LoginStart = { email: string; binding: string; browser: Browser }
export const createLoginStart = (browser = createBrowser()): LoginStart => ({
  email: `u${randomUUID()}@load.test`,
  binding: randomUUID(),
  browser,
})

export const sendCode = (
  place: Place,
  { email, binding, browser }: LoginStart,
  requestId: string = randomUUID(),
) => call(place, 'dialog', '/passwordless/init', { email }, { binding, browser, proves: false, requestId })

async function useCodeOnce(place: Place, { email, binding, browser }: LoginStart, code: string) {
  const { statement } = await newStep(place, browser, 'login', null)
  return call(place, 'dialog', '/passwordless/authenticate', { email, code }, { binding, browser, statement })
}

/** Returns the status of one guess. */
export async function guess(place: Place, beginning: LoginStart, code: string): Promise<number> {
  try {
    await useCodeOnce(place, beginning, code)
    return 200
  } catch (error) {
    if (error instanceof RefusedError) return error.status
    throw error
  }
}

export async function askForCode(
  place: Place,
  email: string,
  binding: string,
  browser: Browser,
): Promise<string> {
  await sendCode(place, { email, binding, browser })
  return getMailedCode(place, email)
}

/** Returns the code of the first mail after the cursor. */
export async function getMailedCode(place: Place, email: string, after = 0): Promise<string> {
  const mail = await nextMail(place, email, { after, timeoutMs: 10_000 })
  if (!mail) throw new Error(`No mail for ${email}`)
  return /\b\d{6}\b/.exec(mail.message.text)?.[0] ?? getMailedCode(place, email, mail.cursor)
}

const mailAnswer = v.object({ message: v.object({ text: v.string() }), cursor: v.number() })

/** Returns undefined if no mail arrives in time. */
async function nextMail(
  { sandboxUrl }: Place,
  to: string,
  { after, timeoutMs }: { after: number; timeoutMs: number },
) {
  const query = new URLSearchParams({ to, after: String(after), timeoutMs: String(timeoutMs) })
  const answer = await fetch(`${sandboxUrl}/api/messages/next?${query}`)
  return answer.status === 200 ? v.parse(mailAnswer, await answer.json()) : undefined
}

/** Logs the same user in from another browser. */
export async function logInElsewhere(place: Place, email: string): Promise<LoggedIn> {
  const beginning = { ...createLoginStart(), email }
  let last = 0
  for (;;) {
    const mail = await nextMail(place, email, { after: last, timeoutMs: 1 })
    if (!mail) break
    last = mail.cursor
  }
  await sendCode(place, beginning)
  return useCode(place, beginning, await getMailedCode(place, email, last))
}

export async function logIn(
  place: Place,
  email = `u${randomUUID()}@load.test`,
  browser = createBrowser(),
): Promise<LoggedIn> {
  const binding = randomUUID()
  const code = await askForCode(place, email, binding, browser)
  return useCode(place, { email, binding, browser }, code)
}

export async function useCode(place: Place, beginning: LoginStart, code: string): Promise<LoggedIn> {
  const { email, browser } = beginning
  const body = await useCodeOnce(place, beginning, code)
  const answer = v.parse(authAnswerSchema, fromWire(authAnswerSchema, body))
  if (!answer.token || !answer.refreshToken) throw new Error('The login returned no tokens')
  return { token: answer.token, refreshToken: answer.refreshToken, browser, userId: answer.user.id, email }
}

export async function refresh(place: Place, { refreshToken, browser }: Tokens) {
  const presented = { refresh_token: refreshToken }
  const body = await call(place, 'dialog', '/sessions', presented, { refreshToken, browser })
  const answer = v.parse(refreshAnswerSchema, fromWire(refreshAnswerSchema, body))
  if (!answer.token || !answer.refreshToken) throw new Error('The refresh returned no tokens')
  return { token: answer.token, refreshToken: answer.refreshToken, browser, user: answer.user }
}

/** Creates a wallet. Returns its address after the server has committed it. */
export async function createWallet(place: Place, user: LoggedIn): Promise<string> {
  const token = await openWalletToken(place, user, 'create', null)
  const sender: Sender = { token, browser: user.browser }
  const creation = v.parse(
    apiRoutes.beginWallet.output,
    fromWire(
      apiRoutes.beginWallet.output,
      await call(place, 'wallet', '/wallets/begin', { chain_type: 'ethereum' }, sender),
    ),
  )
  if (creation.status === 'committed') return creation.address
  const privateKey = generatePrivateKey()
  const { walletId, userId, kind, chain, generation, sealingKey } = creation
  const { address } = privateKeyToAccount(privateKey)
  const wallet = { appId: place.appId, userId, walletId, kind, chain, generation, address }
  const { body } = apiRoutes.commitWallet
  const authShare = await seal(sealingKey.publicKey, { ...wallet, role: 'auth' })
  const recovery = {
    method: 'latchkey',
    share: await seal(sealingKey.publicKey, { ...wallet, role: 'recovery' }),
  } as const
  const hash = toHex(await walletProofDigest({ ...wallet, authShare, recovery }))
  const whole: v.InferInput<typeof body> = {
    walletId,
    generation,
    address,
    sealingKeyId: sealingKey.id,
    authShare,
    recovery,
    proof: await sign({ hash, privateKey, to: 'hex' }),
  }
  const committed = await call(place, 'wallet', '/wallets/commit', toWire(body, whole), sender)
  return v.parse(v.object({ wallet: v.object({ address: v.string() }) }), committed).wallet.address
}

/** Releases the shares of a wallet like a device does, which proves that the server still has them. */
export async function releaseShares(place: Place, tokens: Tokens, address: string): Promise<void> {
  const token = await openWalletToken(place, tokens, 'recover', address)
  await call(place, 'wallet', '/wallets/shares', {}, { token, browser: tokens.browser })
}

/** A confirmation that opens the wallet once. */
export type Approval = { handle: string; digest: string }

export async function putMessage(
  place: Place,
  { token, browser }: Tokens,
  address: string,
  message: string,
): Promise<Approval> {
  const handle = randomBytes(32).toString('base64url')
  const request = { method: 'personal_sign', params: [toHex(message), address] }
  const confirmation = { handle, address, request, origin: null, place: 'frame' }
  const response = await call(place, 'dialog', '/confirmations', confirmation, { token, browser })
  const { digest } = v.parse(v.object({ digest: v.string(), place: v.literal('frame') }), response)
  return { handle, digest }
}

/** Releases the shares to sign an approved message. */
export async function signApproved(
  place: Place,
  tokens: Tokens,
  address: string,
  approval: Approval,
): Promise<void> {
  const token = await openWalletToken(place, tokens, 'sign', address, approval)
  await call(place, 'wallet', '/wallets/shares', {}, { token, browser: tokens.browser })
}

async function openWalletToken(
  place: Place,
  { token, browser }: Tokens,
  purpose: WalletPurpose,
  address: string | null,
  approval?: Approval,
): Promise<string> {
  const step = await newStep(place, browser, purpose, address, approval?.digest)
  const { public_key, operation, statement } = step
  const request = { public_key, operation, purpose, address, confirmation: approval?.handle ?? null }
  const body = await call(place, 'dialog', '/wallets/token', request, { token, browser, statement })
  return v.parse(v.object({ token: v.string() }), body).token
}

/** Creates a vault key for a step, and the device's statement about it. */
async function newStep(
  { appId }: Place,
  { key, device }: Browser,
  purpose: StatementPurpose,
  address: string | null,
  digest: string | null = null,
) {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])
  const vpk = Buffer.from(await crypto.subtle.exportKey('raw', pair.publicKey)).toString('base64url')
  const operation = { id: randomUUID(), step: 1 }
  const { thumbprint: jkt } = key
  const statement = signStatement(device, { aud: appId, vpk, purpose, op: operation, address, digest, jkt })
  return { public_key: vpk, operation, statement }
}

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

async function seal(publicKey: string, context: ShareContext): Promise<SealedShare> {
  const share = Buffer.concat([shareHead(context), randomBytes(secretBytes[context.kind])])
  const { enc, ct } = await suite.seal(
    {
      recipientPublicKey: await suite.kem.deserializePublicKey(
        new Uint8Array(Buffer.from(publicKey, 'base64url')),
      ),
      info: new TextEncoder().encode(sealingInfo.toServer),
    },
    new Uint8Array(share),
    canonicalShareContext(context),
  )
  return { v: 1, enc: Buffer.from(enc).toString('base64url'), ct: Buffer.from(ct).toString('base64url') }
}
