/**
 * The provider tokens of the user. They are bound to a key that never leaves this browser (RFC 9449). A second key
 * encrypts them, so a copy of the storage is useless elsewhere. They are deleted when the user changes.
 */
import {
  type CrossAppProvider,
  LatchkeyError,
  type OAuthTokens,
  product,
  sessionLimits,
} from '@latchkey/protocol'
import { type CrossAppConnection, crossAppRoutes, type crossAppToken } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { isOfProvider } from '../../../api/problem.ts'
import { isKeyPair } from '../../../api/proof-keys.ts'
import type { DialogServices } from '../../../app/services.ts'
import type { Locks } from '../../../browser/ports.ts'
import type { Cancellable } from '../../../browser/waiting.ts'
import { providerOf } from '../connections.ts'
import { english } from '../texts.arb'
import { proofOf } from './proof.ts'
import type { TokenRows } from './token-rows.ts'

/** The user and the provider of a token. */
export type Whose = { userId: string; provider: CrossAppProvider }
export type Access = { accessToken: string; keys: CryptoKeyPair }

export type ProviderTokens = {
  keep: (whose: Whose, keys: CryptoKeyPair, tokens: OAuthTokens) => Promise<void>
  has: (whose: Whose) => Promise<boolean>
  /** Returns the access token, renewed if it expired or the provider refused it. Rejects if there is none. */
  access: (
    userId: string,
    connection: CrossAppConnection,
    asker: Cancellable & { refused?: string },
  ) => Promise<Access>
  /** Returns the refresh token, which ends the connection at the provider. */
  refreshToken: (whose: Whose) => Promise<string | undefined>
  /** Applies a token message from the provider's page. */
  hear: (whose: Whose, message: v.InferOutput<typeof crossAppToken>) => Promise<void>
  forget: (whose: Whose) => Promise<void>
  forgetAll: () => Promise<void>
}

export type TokenPorts = Pick<DialogServices, 'api' | 'clock' | 'store' | 'settings'> & {
  rows: TokenRows
  locks: Locks
  nowMs: () => number
}

const sealedSchema = v.object({
  accessToken: v.string(),
  refreshToken: v.nullable(v.string()),
  untilMs: v.nullable(v.number()),
})
type Held = v.InferOutput<typeof sealedSchema>

const LOCK_MS = 20_000
const IV_BYTES = 12

export const noToken = (cause?: unknown) =>
  new LatchkeyError('missing_or_invalid_token', english.problems.noToken, { cause })

export function createTokens({ api, store, settings, rows, locks, nowMs }: TokenPorts): ProviderTokens {
  /** The storage key for the id of the token owner. It is readable without loading this code. */
  const holder = () => product.storageName(settings().app.id, 'cross-app-tokens')
  const rowName = ({ userId, provider }: Whose) => `${userId} ${provider}`

  async function read(whose: Whose): Promise<(Held & { keys: CryptoKeyPair }) | undefined> {
    const row = await rows.read(rowName(whose)).catch(() => undefined)
    if (!isRow(row)) return undefined
    try {
      const { keys, seal, iv, sealed } = row
      const plaintext = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, seal, sealed)
      return { ...v.parse(sealedSchema, JSON.parse(new TextDecoder().decode(plaintext))), keys }
    } catch {
      // A row that cannot be decrypted counts as missing.
      return undefined
    }
  }

  async function write(whose: Whose, keys: CryptoKeyPair, tokens: Held) {
    const seal = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ])
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
    const plain = new TextEncoder().encode(JSON.stringify(tokens))
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, seal, plain)
    remember(whose.userId)
    await rows.write(rowName(whose), { keys, seal, iv, sealed })
  }

  function remember(userId: string) {
    try {
      store.write(holder(), userId)
    } catch {
      // Without storage, the tokens are in memory only.
    }
  }

  const toHeldTokens = ({
    accessToken,
    refreshToken,
    accessTokenExpiresInSeconds: seconds,
  }: OAuthTokens): Held => ({
    accessToken,
    refreshToken: refreshToken ?? null,
    untilMs: typeof seconds === 'number' ? nowMs() + seconds * 1_000 : null,
  })
  const isGood = ({ accessToken, untilMs }: Held, refused: string | undefined) =>
    accessToken !== refused &&
    (untilMs === null || nowMs() < untilMs - sessionLimits.activeLeftSeconds * 1_000)

  const forget = (whose: Whose) => rows.remove(rowName(whose))

  /** Renews the token. Runs under a lock across tabs, because a refresh token works only once. */
  async function renew(
    whose: Whose,
    { tokenEndpoint }: CrossAppConnection,
    { refused, signal }: Cancellable & { refused?: string },
  ): Promise<Access> {
    const tokens = await read(whose)
    if (tokens && isGood(tokens, refused)) return tokens
    if (!tokens || tokens.refreshToken === null) throw noToken()
    const { keys, refreshToken } = tokens
    const proof = await proofOf(keys, { url: tokenEndpoint, nowMs: nowMs() })
    const body = { provider: whose.provider, refreshToken, proof }
    try {
      const renewed = await api.call(crossAppRoutes.refreshCrossAppTokens, body, { signal })
      const next = toHeldTokens(renewed)
      await write(whose, keys, { ...next, refreshToken: next.refreshToken ?? refreshToken })
      return { accessToken: next.accessToken, keys }
    } catch (error) {
      if (isOver(error)) await forget(whose)
      throw noToken(error)
    }
  }

  return {
    keep: (whose, keys, tokens) => write(whose, keys, toHeldTokens(tokens)),
    async has(whose) {
      const tokens = await read(whose)
      return tokens !== undefined && (tokens.refreshToken !== null || isGood(tokens, undefined))
    },
    async access(userId, connection, asker) {
      const whose = { userId, provider: providerOf(connection.providerAppId) }
      const tokens = await read(whose)
      if (tokens && isGood(tokens, asker.refused)) return tokens
      const lock = product.storageName(settings().app.id, 'cross-app', rowName(whose))
      let isHeld = false
      const run = () => {
        isHeld = true
        return renew(whose, connection, asker)
      }
      try {
        return await locks.hold(lock, LOCK_MS, run, asker.signal)
      } catch (error) {
        // Without the Web Locks API, tabs share no storage either.
        if (!isHeld && hasCode(error, 'session_storage_unavailable')) return run()
        throw error
      }
    },
    refreshToken: async (whose) => (await read(whose))?.refreshToken ?? undefined,
    async hear(whose, message) {
      if (message.action === 'clear') return forget(whose)
      const tokens = await read(whose)
      // The message contains no expiry. The provider refuses an expired token.
      if (tokens) await write(whose, tokens.keys, { ...tokens, accessToken: message.value, untilMs: null })
    },
    forget,
    async forgetAll() {
      await rows.clear()
      try {
        store.remove(holder())
      } catch {
        // Without storage, there is no key to remove.
      }
    },
  }
}

/** Returns whether the connection has ended. Other errors may be temporary. */
const isOver = (error: unknown) =>
  error instanceof LatchkeyError &&
  (error.code === 'missing_or_invalid_token'
    ? isOfProvider(error)
    : error.code === 'cross_app_connection_not_allowed')
const hasCode = (error: unknown, code: LatchkeyError['code']) =>
  error instanceof LatchkeyError && error.code === code

type Row = {
  keys: CryptoKeyPair
  seal: CryptoKey
  iv: Uint8Array<ArrayBuffer>
  sealed: ArrayBuffer
}

function isRow(value: unknown): value is Row {
  if (typeof value !== 'object' || value === null) return false
  const { keys, seal, iv, sealed } = Object(value)
  const areKeys = isKeyPair(keys) && seal instanceof CryptoKey
  return areKeys && iv instanceof Uint8Array && sealed instanceof ArrayBuffer
}
