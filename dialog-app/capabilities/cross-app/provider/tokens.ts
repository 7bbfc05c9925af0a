/**
 * The tokens that providers gave for this user: bound to a key that never leaves this browser (RFC 9449), and sealed by
 * another, so that what lies in the storage is worth nothing elsewhere. They are the user's, not the app's: the next user
 * of this browser finds none of them.
 */
import {
  type CrossAppConnection,
  type CrossAppProvider,
  LatchkeyError,
  type OAuthTokens,
  product,
  sessionLimits,
} from '@latchkey/protocol'
import { crossAppRoutes, type crossAppToken } from '@latchkey/protocol/api'
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

/** Whose, and at which provider. */
export type Whose = { userId: string; provider: CrossAppProvider }
export type Access = { accessToken: string; keys: CryptoKeyPair }

export type ProviderTokens = {
  keep: (whose: Whose, keys: CryptoKeyPair, tokens: OAuthTokens) => Promise<void>
  has: (whose: Whose) => Promise<boolean>
  /** Renewed where it has run out, or where the provider did not take it; rejects where there is none any more. */
  access: (
    userId: string,
    connection: CrossAppConnection,
    asker: Cancellable & { refused?: string },
  ) => Promise<Access>
  /** The token with which the connection is ended at the provider. */
  refreshToken: (whose: Whose) => Promise<string | undefined>
  /** What the provider's page says of it. */
  hear: (whose: Whose, said: v.InferOutput<typeof crossAppToken>) => Promise<void>
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
  /** Names the user whose tokens this browser has, so that nothing is loaded to find out that there are none. */
  const holder = () => product.storageName(settings().app.id, 'cross-app-tokens')
  const rowName = ({ userId, provider }: Whose) => `${userId} ${provider}`

  async function read(whose: Whose): Promise<(Held & { keys: CryptoKeyPair }) | undefined> {
    const row = await rows.read(rowName(whose)).catch(() => undefined)
    if (!isRow(row)) return undefined
    try {
      const { keys, seal, iv, sealed } = row
      const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, seal, sealed)
      return { ...v.parse(sealedSchema, JSON.parse(new TextDecoder().decode(opened))), keys }
    } catch {
      // What can not be opened any more is none.
      return undefined
    }
  }

  async function write(whose: Whose, keys: CryptoKeyPair, held: Held) {
    const seal = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ])
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
    const plain = new TextEncoder().encode(JSON.stringify(held))
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, seal, plain)
    remember(whose.userId)
    await rows.write(rowName(whose), { keys, seal, iv, sealed })
  }

  function remember(userId: string) {
    try {
      store.write(holder(), userId)
    } catch {
      // A browser that keeps nothing has them in memory alone.
    }
  }

  const heldOf = ({
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

  /** One at a time among all tabs: a refresh token is good once. */
  async function renew(
    whose: Whose,
    { tokenEndpoint }: CrossAppConnection,
    { refused, signal }: Cancellable & { refused?: string },
  ): Promise<Access> {
    const held = await read(whose)
    if (held && isGood(held, refused)) return held
    if (!held || held.refreshToken === null) throw noToken()
    const { keys, refreshToken } = held
    const proof = await proofOf(keys, { url: tokenEndpoint, nowMs: nowMs() })
    const body = { provider: whose.provider, refreshToken, proof }
    try {
      const renewed = await api.call(crossAppRoutes.refreshCrossAppTokens, body, { signal })
      const next = heldOf(renewed)
      await write(whose, keys, { ...next, refreshToken: next.refreshToken ?? refreshToken })
      return { accessToken: next.accessToken, keys }
    } catch (error) {
      if (isOver(error)) await forget(whose)
      throw noToken(error)
    }
  }

  return {
    keep: (whose, keys, tokens) => write(whose, keys, heldOf(tokens)),
    async has(whose) {
      const held = await read(whose)
      return held !== undefined && (held.refreshToken !== null || isGood(held, undefined))
    },
    async access(userId, connection, asker) {
      const whose = { userId, provider: providerOf(connection.providerAppId) }
      const held = await read(whose)
      if (held && isGood(held, asker.refused)) return held
      const lock = product.storageName(settings().app.id, 'cross-app', rowName(whose))
      let isHeld = false
      const run = () => {
        isHeld = true
        return renew(whose, connection, asker)
      }
      try {
        return await locks.hold(lock, LOCK_MS, run, asker.signal)
      } catch (error) {
        // Where a browser gives no locks, its tabs share no storage either.
        if (!isHeld && hasCode(error, 'session_storage_unavailable')) return run()
        throw error
      }
    },
    refreshToken: async (whose) => (await read(whose))?.refreshToken ?? undefined,
    async hear(whose, said) {
      if (said.action === 'clear') return forget(whose)
      const held = await read(whose)
      // It says nothing of how long it is good, and the provider says so when it is not.
      if (held) await write(whose, held.keys, { ...held, accessToken: said.value, untilMs: null })
    },
    forget,
    async forgetAll() {
      await rows.clear()
      try {
        store.remove(holder())
      } catch {
        // Where nothing is kept, nothing is named.
      }
    },
  }
}

/** The provider says so; anything else may be well again later. */
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
