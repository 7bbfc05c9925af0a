/**
 * The session of the cross-app page, separate from that of the frame. A login in this window handed it over.
 * It is bound to the device key of this origin as a top-level page, and the vault proves each of its calls.
 */
import { base64url, type Handover, LatchkeyError, thumbprint, type UserRecord } from '@latchkey/protocol'
import { handoverRoutes, type RouteOutput, sessionRoutes } from '@latchkey/protocol/api'
import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import { type CallApi, hashText, type ProvenApi, type ProvenCaller } from '../../shares/transport.ts'
import type { VaultClient } from '../../vault-client/client.ts'
import type { Memory } from './memory.ts'

type SessionResponse = RouteOutput<typeof handoverRoutes.redeemHandover>
export type SessionCaller = Pick<ProvenCaller, 'signal' | 'keepalive'> & {
  headers?: Readonly<Record<string, string>>
}
export type SessionApi = CallApi<SessionCaller>

export type Session = {
  /** Opens the session, from a new login or from storage. Returns undefined if the user must log in. */
  open: (handover: Handover | undefined, signal: AbortSignal) => Promise<UserRecord | undefined>
  api: SessionApi
  /** Returns the credentials for a call that is sent later, valid while its token is. */
  caller: (signal: AbortSignal) => Promise<ProvenCaller>
  user: () => UserRecord
  /** The thumbprint of the key that the session's tokens are bound to. */
  key: () => string
  /** Reads the user from the server again. */
  reload: (signal: AbortSignal) => Promise<UserRecord>
  /** Ends the session here and at the server. */
  drop: (signal: AbortSignal) => Promise<void>
}

export type SessionPorts = {
  appId: string
  memory: Pick<Memory, 'session' | 'storeSession'>
  vault: Pick<VaultClient, 'call'>
  api: ProvenApi
  time: Pick<ServerTime, 'nowSeconds'>
  /** Runs under a lock, because a refresh token works once and tabs share it. */
  lock: <T>(run: () => Promise<T>) => Promise<T>
}

/** A token that expires sooner than this is renewed before the next call. */
const minLeftSeconds = 30

const claimsSchema = v.object({
  sub: v.string(),
  exp: v.number(),
  cnf: v.object({ jkt: thumbprint }),
})

type CurrentSession = Pick<SessionResponse, 'user' | 'token'> & { claims: v.InferOutput<typeof claimsSchema> }

export function createSession(ports: SessionPorts): Session {
  const { appId, memory, vault, api, time, lock } = ports
  let current: CurrentSession | undefined
  const getCurrent = () => current
  let renewing: Promise<void> | undefined

  const createAuthorize =
    (
      userId: string,
      provenText: string,
      headers: Readonly<Record<string, string>> = {},
    ): ProvenCaller['authorize'] =>
    async ({ text, ...sent }) => {
      const [tokenHash, bodyHash] = await Promise.all([hashText(provenText), hashText(text)])
      return async (signal) => {
        const call = { ...sent, appId, userId, tokenHash, bodyHash, atSeconds: time.nowSeconds() }
        return { ...headers, dpop: (await vault.call('prove', call, signal)).proof }
      }
    }

  function accept({ user, token, refreshToken }: SessionResponse): void {
    const claims = parseClaims(token)
    memory.storeSession({ userId: user.id, refreshToken })
    current = { user, token, claims }
  }

  /**
   * Redeems the login's code. Stores the device key under the user first, because the vault finds it by user.
   */
  async function redeem({ code, user: userId }: Handover, signal: AbortSignal): Promise<void> {
    const { operationId } = await vault.call('begin', {}, signal)
    try {
      const operation = { id: operationId, step: 1 }
      // The vault creates the session's key here. The statement itself is not used.
      const claims = {
        purpose: 'login',
        operation,
        address: null,
        digest: null,
        dialogKey: createUnusedKey(),
      } as const
      await vault.call('state', { ...claims, appId, userId: null }, signal)
      await vault.call('fileDevice', { operationId, appId, userId }, signal)
    } finally {
      await vault.call('end', { operationId }, signal).catch(() => {})
    }
    const response = await retryIfStale(() =>
      api(handoverRoutes.redeemHandover, { signal, authorize: createAuthorize(userId, code) }, { code }),
    )
    if (response.user.id !== userId) throw new LatchkeyError('invalid_data', 'The login is of another user')
    accept(response)
  }

  async function renewNow(signal: AbortSignal): Promise<void> {
    const stored = memory.session()
    if (!stored || (current && current.user.id !== stored.userId)) throw notLoggedIn()
    const { userId, refreshToken } = stored
    const authorize = createAuthorize(userId, refreshToken)
    const response = await retryIfStale(() =>
      api(handoverRoutes.refreshHandedOver, { signal, authorize }, { refreshToken }),
    )
    if (response.user.id !== userId) throw notLoggedIn()
    accept(response)
  }

  /**
   * Renews the session. Reads the stored token inside the lock, because another tab may have renewed it
   * meanwhile.
   */
  function renew(signal: AbortSignal): Promise<void> {
    renewing ??= lock(() => renewNow(signal)).finally(() => {
      renewing = undefined
    })
    return renewing
  }

  async function ready(signal: AbortSignal) {
    if (!current || current.claims.exp - time.nowSeconds() < minLeftSeconds) await renew(signal)
    if (!current) throw notLoggedIn()
    return current
  }

  const toProvenCaller = async ({ headers, ...caller }: SessionCaller): Promise<ProvenCaller> => {
    const { token, claims } = await ready(caller.signal)
    const authorization = { authorization: `Bearer ${token}` }
    return { ...caller, authorize: createAuthorize(claims.sub, token, { ...authorization, ...headers }) }
  }

  return {
    async open(handover, signal) {
      current = undefined
      try {
        if (handover) await redeem(handover, signal)
        else if (memory.session()) await renew(signal)
        else return undefined
      } catch (error) {
        if (!isOver(error)) throw error
        memory.storeSession(undefined)
        return undefined
      }
      return getCurrent()?.user
    },
    /** Retries once after a renewal, because the server may reject an older token than the stored one. */
    api: async (route, caller, ...body) => {
      const call = async () => api(route, await toProvenCaller(caller), ...body)
      try {
        return await retryIfStale(call)
      } catch (error) {
        if (!isOver(error)) throw error
        await renew(caller.signal)
        return call()
      }
    },
    caller: (signal) => toProvenCaller({ signal }),
    user: () => requireCurrent(current).user,
    key: () => requireCurrent(current).claims.cnf.jkt,
    async reload(signal) {
      await renew(signal)
      return requireCurrent(current).user
    },
    async drop(signal) {
      const stored = memory.session()
      current = undefined
      memory.storeSession(undefined)
      if (!stored) return
      const { userId, refreshToken } = stored
      const authorize = createAuthorize(userId, refreshToken)
      await api(sessionRoutes.logout, { signal, authorize }, { refreshToken }).catch(() => {})
    },
  }
}

/** Ignored offset: the header has whole seconds, and the response takes time to arrive. */
const negligibleMs = 5_000

export type ServerTime = {
  nowSeconds: () => number
  /** Updates the offset from the `Date` header of a response. */
  learn: (dateHeader: string | null) => void
}

/**
 * Estimates the server's time from its `Date` headers. Proofs expire by it, and a browser's clock may be
 * hours off.
 */
export function createServerTime(nowMs: () => number): ServerTime {
  let offsetMs = 0
  return {
    nowSeconds: () => Math.floor((nowMs() + offsetMs) / 1_000),
    learn(dateHeader) {
      const measuredMs = Date.parse(dateHeader ?? '') - nowMs()
      if (!Number.isNaN(measuredMs)) offsetMs = Math.abs(measuredMs) < negligibleMs ? 0 : measuredMs
    },
  }
}

/** Returns whether the server did not respond, so that the same call may be sent again. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof LatchkeyError && unanswered.has(error.code)

const unanswered: ReadonlySet<string> = new Set([
  'server_unreachable',
  'client_request_timeout',
  'unavailable',
])

/** Returns whether the session is over, so that the user must log in. */
export const isOver = (error: unknown): boolean =>
  error instanceof LatchkeyError && overCodes.has(error.code) && !isStale(error)
const overCodes: ReadonlySet<string> = new Set([
  'missing_or_invalid_token',
  'must_be_authenticated',
  'device_not_bound',
])

const isStale = (error: unknown) =>
  error instanceof LatchkeyError && v.is(v.looseObject({ reason: v.literal('proof_stale') }), error.details)

/** Retries a call after a stale proof: the rejection has updated the server time. */
async function retryIfStale<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isStale(error)) throw error
    return call()
  }
}

function parseClaims(token: string): v.InferOutput<typeof claimsSchema> {
  try {
    const payload = base64urlnopad.decode(v.parse(base64url, token.split('.')[1]))
    return v.parse(claimsSchema, JSON.parse(new TextDecoder().decode(payload)))
  } catch (cause) {
    throw new LatchkeyError('invalid_answer', 'The session token is malformed', { cause })
  }
}

const notLoggedIn = () => new LatchkeyError('must_be_authenticated', 'No user is logged in on this page')

function requireCurrent<Present>(present: Present | undefined): Present {
  if (present) return present
  throw notLoggedIn()
}

const createUnusedKey = () => base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(32)))
