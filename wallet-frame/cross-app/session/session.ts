/**
 * The session of this page, which is no frame's: it was handed over by a login in this window, belongs to the device of
 * this origin at the top, and every call of it is proved by the vault.
 */
import { base64url, type Handover, LatchkeyError, thumbprint, type UserRecord } from '@latchkey/protocol'
import { handoverRoutes, type RouteOutput, sessionRoutes } from '@latchkey/protocol/api'
import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import { type Calling, hashOf, type ProvenApi, type ProvenCaller } from '../../shares/transport.ts'
import type { VaultClient } from '../../vault-client/client.ts'
import type { Memory } from './memory.ts'

type Opened = RouteOutput<typeof handoverRoutes.redeemHandover>
export type SessionCaller = Pick<ProvenCaller, 'signal' | 'keepalive'> & {
  headers?: Readonly<Record<string, string>>
}
export type SessionApi = Calling<SessionCaller>

export type Session = {
  /** Who is in: by the login that came just now, or by the one before. Undefined where somebody has to log in. */
  open: (handover: Handover | undefined, signal: AbortSignal) => Promise<UserRecord | undefined>
  api: SessionApi
  /** What a call that is made later by itself carries, as long as its token is good. */
  caller: (signal: AbortSignal) => Promise<ProvenCaller>
  user: () => UserRecord
  /** The thumbprint of the key that the session's tokens are bound to. */
  key: () => string
  /** Reads the user from the server again. */
  reload: (signal: AbortSignal) => Promise<UserRecord>
  /** Ends it here and at the server. */
  drop: (signal: AbortSignal) => Promise<void>
}

export type SessionPorts = {
  appId: string
  memory: Pick<Memory, 'session' | 'storeSession'>
  vault: Pick<VaultClient, 'call'>
  api: ProvenApi
  time: Pick<ServerTime, 'nowSeconds'>
  /** Only one tab renews at a time, because a refresh token works once. */
  lock: <T>(run: () => Promise<T>) => Promise<T>
}

/** A token that ends sooner than this is renewed before the next call. */
const leftSeconds = 30

const claimsSchema = v.object({
  sub: v.string(),
  exp: v.number(),
  cnf: v.object({ jkt: thumbprint }),
})

type Present = Pick<Opened, 'user' | 'token'> & { claims: v.InferOutput<typeof claimsSchema> }

export function createSession(ports: SessionPorts): Session {
  const { appId, memory, vault, api, time, lock } = ports
  let present: Present | undefined
  const presentNow = () => present
  let renewing: Promise<void> | undefined

  const provenBy =
    (
      userId: string,
      provenText: string,
      headers: Readonly<Record<string, string>> = {},
    ): ProvenCaller['authorize'] =>
    async ({ text, ...sent }) => {
      const [tokenHash, bodyHash] = await Promise.all([hashOf(provenText), hashOf(text)])
      return async (signal) => {
        const call = { ...sent, appId, userId, tokenHash, bodyHash, atSeconds: time.nowSeconds() }
        return { ...headers, dpop: (await vault.call('prove', call, signal)).proof }
      }
    }

  function accept({ user, token, refreshToken }: Opened): void {
    const claims = claimsOf(token)
    memory.storeSession({ userId: user.id, refreshToken })
    present = { user, token, claims }
  }

  /** The key is the device of the user before anything is proved by it: that is how the vault knows it. */
  async function redeem({ code, user: userId }: Handover, signal: AbortSignal): Promise<void> {
    const { operationId } = await vault.call('begin', {}, signal)
    try {
      const operation = { id: operationId, step: 1 }
      // The vault creates the session's key here. No browser uses the statement itself.
      const stated = {
        purpose: 'login',
        operation,
        address: null,
        digest: null,
        dialogKey: nobodysKey(),
      } as const
      await vault.call('state', { ...stated, appId, userId: null }, signal)
      await vault.call('fileDevice', { operationId, appId, userId }, signal)
    } finally {
      await vault.call('end', { operationId }, signal).catch(() => {})
    }
    const opened = await byRightTime(() =>
      api(handoverRoutes.redeemHandover, { signal, authorize: provenBy(userId, code) }, { code }),
    )
    if (opened.user.id !== userId) throw new LatchkeyError('invalid_data', 'The login is of another user')
    accept(opened)
  }

  async function renewNow(signal: AbortSignal): Promise<void> {
    const stored = memory.session()
    if (!stored || (present && present.user.id !== stored.userId)) throw notIn()
    const { userId, refreshToken } = stored
    const authorize = provenBy(userId, refreshToken)
    const opened = await byRightTime(() =>
      api(handoverRoutes.refreshHandedOver, { signal, authorize }, { refreshToken }),
    )
    if (opened.user.id !== userId) throw notIn()
    accept(opened)
  }

  /** Another tab may have renewed it meanwhile: what is stored is read when it is this one's turn. */
  function renew(signal: AbortSignal): Promise<void> {
    renewing ??= lock(() => renewNow(signal)).finally(() => {
      renewing = undefined
    })
    return renewing
  }

  async function ready(signal: AbortSignal) {
    if (!present || present.claims.exp - time.nowSeconds() < leftSeconds) await renew(signal)
    if (!present) throw notIn()
    return present
  }

  const callerOf = async ({ headers, ...caller }: SessionCaller): Promise<ProvenCaller> => {
    const { token, claims } = await ready(caller.signal)
    const authorization = { authorization: `Bearer ${token}` }
    return { ...caller, authorize: provenBy(claims.sub, token, { ...authorization, ...headers }) }
  }

  return {
    async open(handover, signal) {
      present = undefined
      try {
        if (handover) await redeem(handover, signal)
        else if (memory.session()) await renew(signal)
        else return undefined
      } catch (error) {
        if (!isOver(error)) throw error
        memory.storeSession(undefined)
        return undefined
      }
      return presentNow()?.user
    },
    /** What the server takes for over may be older than what is stored: it is renewed, once. */
    api: async (route, caller, ...body) => {
      const call = async () => api(route, await callerOf(caller), ...body)
      try {
        return await byRightTime(call)
      } catch (error) {
        if (!isOver(error)) throw error
        await renew(caller.signal)
        return call()
      }
    },
    caller: (signal) => callerOf({ signal }),
    user: () => presentIn(present).user,
    key: () => presentIn(present).claims.cnf.jkt,
    async reload(signal) {
      await renew(signal)
      return presentIn(present).user
    },
    async drop(signal) {
      const stored = memory.session()
      present = undefined
      memory.storeSession(undefined)
      if (!stored) return
      const { userId, refreshToken } = stored
      const authorize = provenBy(userId, refreshToken)
      await api(sessionRoutes.logout, { signal, authorize }, { refreshToken }).catch(() => {})
    },
  }
}

/** An answer was on its way for a moment, and says whole seconds. */
const negligibleMs = 5_000

export type ServerTime = {
  nowSeconds: () => number
  /** Takes the `Date` of an answer. */
  learn: (dateHeader: string | null) => void
}

/** Proofs age by the server's time, and a browser's clock may be hours off: the `Date` of every answer says by how much. */
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

/** True if the server did not answer, so that the same call may be sent again. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof LatchkeyError && unanswered.has(error.code)

const unanswered: ReadonlySet<string> = new Set([
  'server_unreachable',
  'client_request_timeout',
  'unavailable',
])

/** Somebody has to log in: nothing that is stored here is worth anything. */
export const isOver = (error: unknown): boolean =>
  error instanceof LatchkeyError && overCodes.has(error.code) && !isStale(error)
const overCodes: ReadonlySet<string> = new Set([
  'missing_or_invalid_token',
  'must_be_authenticated',
  'device_not_bound',
])

const isStale = (error: unknown) =>
  error instanceof LatchkeyError && v.is(v.looseObject({ reason: v.literal('proof_stale') }), error.details)

/** The refusal has said what the time is. */
async function byRightTime<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isStale(error)) throw error
    return call()
  }
}

function claimsOf(token: string): v.InferOutput<typeof claimsSchema> {
  try {
    const payload = base64urlnopad.decode(v.parse(base64url, token.split('.')[1]))
    return v.parse(claimsSchema, JSON.parse(new TextDecoder().decode(payload)))
  } catch (cause) {
    throw new LatchkeyError('invalid_answer', 'The token of the session can not be read', { cause })
  }
}

const notIn = () => new LatchkeyError('must_be_authenticated', 'Nobody is logged in on this page')

function presentIn<Present>(present: Present | undefined): Present {
  if (present) return present
  throw notIn()
}

const nobodysKey = () => base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(32)))
