/** What this browser keeps of a session, and what an answer of the server does to it. */
import { LatchkeyError, product, type SessionUpdateAction, sessionSchema } from '@latchkey/protocol'
import * as v from 'valibot'
import type { KeyValueStore } from '../ports.ts'

/** `hostToken` is what the host may have; the rest never leaves this origin. */
const keptSessionSchema = v.object({ ...sessionSchema.entries, hostToken: v.nullable(v.string()) })
export type KeptSession = v.InferOutput<typeof keptSessionSchema>

export const noSession: KeptSession = {
  accessToken: null,
  refreshToken: null,
  forkedToken: null,
  hostToken: null,
  providerAccessTokens: {},
}

/** `storage`: the refresh token is kept here. `cookie`: the server keeps it in a cookie that no script reads. */
export type SessionMode = 'storage' | 'cookie'

export type TokenAnswer = {
  readonly token: string | null
  readonly refreshToken: string | null
  readonly hostToken?: string | null
  readonly sessionUpdateAction?: SessionUpdateAction
}

export function updateSession(kept: KeptSession, answer: TokenAnswer, mode: SessionMode): KeptSession {
  const { token, refreshToken, hostToken = null, sessionUpdateAction } = answer
  switch (sessionUpdateAction) {
    case 'clear':
      return noSession
    case 'ignore':
      return { ...kept, accessToken: token ?? kept.accessToken, hostToken: hostToken ?? kept.hostToken }
    case 'set':
    case undefined:
      return {
        ...kept,
        accessToken: token,
        refreshToken: mode === 'cookie' ? null : refreshToken,
        forkedToken: null,
        hostToken,
      }
    default:
      return sessionUpdateAction satisfies never
  }
}

export type SessionKeeper = {
  readonly read: () => KeptSession
  readonly write: (session: KeptSession) => void
  readonly clear: () => void
}

/** Parsed when read: what is there may be of an older version, or of somebody else's making. */
export function createSessionKeeper(ports: {
  readonly appId: string
  readonly store: KeyValueStore
}): SessionKeeper {
  const name = product.storageName(ports.appId, 'session')
  return {
    read: () => guarded(() => parseKept(ports.store.read(name))),
    write: (session) => guarded(() => ports.store.write(name, JSON.stringify(session))),
    clear: () => guarded(() => ports.store.remove(name)),
  }
}

function parseKept(json: string | null): KeptSession {
  if (json === null) return noSession
  try {
    const parsed = v.safeParse(keptSessionSchema, JSON.parse(json))
    return parsed.success ? parsed.output : noSession
  } catch {
    return noSession
  }
}

function guarded<T>(run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw new LatchkeyError('session_storage_unavailable', 'This browser keeps no data for the dialog', {
      cause,
    })
  }
}

export const sameSession = (a: KeptSession, b: KeptSession) =>
  a.accessToken === b.accessToken && a.refreshToken === b.refreshToken && a.forkedToken === b.forkedToken
