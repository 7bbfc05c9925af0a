/**
 * A user without a browser, for load: speaks the documented protocol, makes a wallet whose shares are as whole
 * as real ones, and remembers what the server has acknowledged.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import {
  canonicalShareContext,
  fromWire,
  product,
  type SealedShare,
  type ShareContext,
  sealingInfo,
  shareVersion,
  shareX,
  walletLimits,
  walletProofText,
} from '@latchkey/protocol'
import { apiRoutes, authAnswerSchema, refreshAnswerSchema } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Connections } from './http.ts'

export type Place = {
  readonly connections: Connections
  readonly dialogOrigin: string
  readonly walletOrigin: string
  readonly appId: string
  readonly sandboxUrl: string
}
export type Tokens = { readonly token: string; readonly refreshToken: string }
export type LoggedIn = Tokens & { readonly userId: string; readonly email: string }

export class Refused extends Error {
  readonly status: number
  constructor(path: string, status: number, body: unknown) {
    super(`${path}: ${status} ${JSON.stringify(body)}`)
    this.status = status
  }
}

const { headers } = product

async function call(
  place: Place,
  side: 'dialog' | 'wallet',
  path: string,
  body: unknown,
  more: Record<string, string> = {},
) {
  const origin = side === 'dialog' ? place.dialogOrigin : place.walletOrigin
  const answer = await place.connections.post(origin, path, body, {
    [headers.appId]: place.appId,
    [headers.requestId]: randomUUID(),
    ...more,
  })
  if (answer.status >= 300) throw new Refused(path, answer.status, answer.body)
  return answer.body
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export async function askForCode(place: Place, email: string, binding: string): Promise<string> {
  await call(place, 'dialog', '/passwordless/init', { email }, { [headers.loginBinding]: binding })
  const answer = await fetch(`${place.sandboxUrl}/api/messages/next?${new URLSearchParams({ to: email })}`)
  const { message } = (await answer.json()) as { message: { text: string } }
  return /\b\d{6}\b/.exec(message.text)?.[0] ?? ''
}

export async function logIn(place: Place, email = `u${randomUUID()}@load.test`): Promise<LoggedIn> {
  const binding = randomUUID()
  const code = await askForCode(place, email, binding)
  const body = await call(
    place,
    'dialog',
    '/passwordless/authenticate',
    { email, code },
    { [headers.loginBinding]: binding },
  )
  const answer = v.parse(authAnswerSchema, fromWire(authAnswerSchema, body))
  if (!answer.token || !answer.refreshToken) throw new Error('A login without tokens')
  return { token: answer.token, refreshToken: answer.refreshToken, userId: answer.user.id, email }
}

export async function refresh(place: Place, tokens: Tokens) {
  const body = await call(
    place,
    'dialog',
    '/sessions',
    { refresh_token: tokens.refreshToken },
    bearer(tokens.token),
  )
  const answer = v.parse(refreshAnswerSchema, fromWire(refreshAnswerSchema, body))
  if (!answer.token || !answer.refreshToken) throw new Error('A refresh without tokens')
  return { token: answer.token, refreshToken: answer.refreshToken, user: answer.user }
}

/** Answers the address when, and only when, the server says that it is committed. */
export async function makeWallet(place: Place, user: LoggedIn): Promise<string> {
  const walletToken = await openWalletToken(place, user.token)
  const begun = v.parse(
    apiRoutes.beginWallet.output,
    fromWire(
      apiRoutes.beginWallet.output,
      await call(place, 'wallet', '/wallets/begin', { chain_type: 'ethereum' }, bearer(walletToken)),
    ),
  )
  if (begun.status === 'committed') return begun.address
  const account = privateKeyToAccount(generatePrivateKey())
  const context = {
    appId: place.appId,
    userId: user.userId,
    walletId: begun.walletId,
    generation: begun.generation,
    address: account.address,
  }
  const committed = await call(
    place,
    'wallet',
    '/wallets/commit',
    {
      wallet_id: begun.walletId,
      generation: begun.generation,
      address: account.address,
      recovery_method: 'latchkey',
      sealing_key_id: begun.sealingKey.id,
      auth_share: await seal(begun.sealingKey.publicKey, { ...context, role: 'auth' }),
      recovery_share: await seal(begun.sealingKey.publicKey, { ...context, role: 'recovery' }),
      proof: await account.signMessage({ message: walletProofText(context) }),
    },
    bearer(walletToken),
  )
  return v.parse(v.object({ address: v.string() }), committed).address
}

/** The shares of a wallet, as a device asks for them: proof that the server still has them. */
export async function releaseShares(place: Place, token: string, address: string): Promise<void> {
  const walletToken = await openWalletToken(place, token)
  await call(place, 'wallet', '/wallets/shares', { address, purpose: 'recover' }, bearer(walletToken))
}

async function openWalletToken(place: Place, token: string): Promise<string> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits'])
  const point = Buffer.from(await crypto.subtle.exportKey('raw', pair.publicKey)).toString('base64url')
  const body = await call(place, 'dialog', '/wallets/token', { public_key: point }, bearer(token))
  return v.parse(v.object({ token: v.string() }), body).token
}

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})
const roleCode = { device: 1, auth: 2, recovery: 3 } as const

async function seal(publicKey: string, context: ShareContext): Promise<SealedShare> {
  const header = Buffer.alloc(9)
  header.set([shareVersion, roleCode[context.role], shareX[context.role], walletLimits.entropyBytes])
  header.writeUInt32BE(context.generation, 4)
  header.writeUInt8(context.walletId.length, 8)
  const share = Buffer.concat([
    header,
    Buffer.from(context.walletId, 'ascii'),
    randomBytes(walletLimits.entropyBytes),
  ])
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
