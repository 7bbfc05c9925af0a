/** The session as this browser stores it, and its updates from server responses. */
import { product, type SessionUpdateAction, sessionSchema } from '@latchkey/protocol'
import * as v from 'valibot'
import type { KeyValueStore } from '../browser/ports.ts'
import { storageUnavailable } from '../browser/storage.ts'
import { readSubject } from './token.ts'

/** Only `hostToken` may leave this origin, to the host page. */
const keptSessionSchema = v.object({ ...sessionSchema.entries, hostToken: v.nullable(v.string()) })
export type StoredSession = v.InferOutput<typeof keptSessionSchema>

export const noSession: StoredSession = {
  accessToken: null,
  refreshToken: null,
  forkedToken: null,
  hostToken: null,
  providerAccessTokens: {},
}

/** A session that ended here but not yet at the server, with the tokens that end it there. */
const endedSessionSchema = v.object({
  accessToken: v.nullable(v.string()),
  refreshToken: v.nullable(v.string()),
  /** Its refresh token is in the cookie, so the cookie must not be used until the server has answered. */
  byCookie: v.boolean(),
})
export type EndedSession = v.InferOutput<typeof endedSessionSchema>

/** A single record, so that one write ends a session and stores the pending logout. */
const recordSchema = v.object({
  ...keptSessionSchema.entries,
  ended: v.exactOptional(v.array(endedSessionSchema)),
})
type StoredRecord = { session: StoredSession; ended: readonly EndedSession[] }

/** `storage`: the refresh token is in this store. `cookie`: it is in an HttpOnly cookie. */
export type SessionMode = 'storage' | 'cookie'

export type TokenAnswer = {
  token: string | null
  refreshToken: string | null
  hostToken?: string | null
  sessionUpdateAction?: SessionUpdateAction
}

export function updateSession(session: StoredSession, answer: TokenAnswer, mode: SessionMode): StoredSession {
  const { token, refreshToken, hostToken = null, sessionUpdateAction } = answer
  switch (sessionUpdateAction) {
    case 'clear':
      return noSession
    case 'ignore': {
      const own = isOfAnotherUser(session, token) ? noSession : session
      return { ...own, accessToken: token ?? own.accessToken, hostToken: hostToken ?? own.hostToken }
    }
    case 'set':
    case undefined:
      return {
        ...session,
        accessToken: token,
        refreshToken: mode === 'cookie' ? null : refreshToken,
        forkedToken: null,
        hostToken,
      }
    default:
      return sessionUpdateAction satisfies never
  }
}

/** The cookie may belong to another user by now. Then no token of the previous user may remain. */
function isOfAnotherUser(session: StoredSession, token: string | null): boolean {
  return (
    token !== null && session.accessToken !== null && readSubject(token) !== readSubject(session.accessToken)
  )
}

export type SessionStore = {
  read: () => StoredSession
  write: (session: StoredSession) => void
  clear: () => void
  /** Returns whether a logout is ending the stored session. */
  isEnding: () => boolean
  /** Returns the sessions that the server must still end. */
  ended: () => readonly EndedSession[]
  /** Stores the session and the ended session in one write. */
  end: (ended: EndedSession, session: StoredSession) => void
  /** Removes an ended session, and in the same write a stored session with its tokens. */
  forget: (heard: EndedSession) => void
}

/** Validates on every read, because the value may come from an older version or from other code. */
export function createSessionStore(ports: { appId: string; store: KeyValueStore }): SessionStore {
  const name = product.storageName(ports.appId, 'session')
  const read = () => withStorage(() => parseRecord(ports.store.read(name)))

  function write({ session, ended }: StoredRecord) {
    const isWorthKeeping = ended.length > 0 || hasAnyToken(session)
    withStorage(() =>
      isWorthKeeping
        ? ports.store.write(name, JSON.stringify({ ...session, ended }))
        : ports.store.remove(name),
    )
  }

  return {
    read: () => read().session,
    write: (session) => write({ ...read(), session }),
    clear: () => write({ ...read(), session: noSession }),
    isEnding() {
      const { session, ended } = read()
      return ended.some((each) => isEndedSession(each, session))
    },
    ended: () => read().ended,
    end: (ended, session) => write({ session, ended: [...read().ended, ended] }),
    forget(heard) {
      const { session, ended } = read()
      write({
        session: isEndedSession(heard, session) ? noSession : session,
        ended: ended.filter((each) => !isSame(each, heard)),
      })
    },
  }
}

const hasAnyToken = ({ providerAccessTokens, ...tokens }: StoredSession) =>
  Object.values(tokens).some((token) => token !== null) || Object.keys(providerAccessTokens).length > 0

const isSameTokens = (a: TokenPair, b: TokenPair) =>
  a.accessToken === b.accessToken && a.refreshToken === b.refreshToken
type TokenPair = Pick<EndedSession, 'accessToken' | 'refreshToken'>

const isEndedSession = (ended: EndedSession, session: StoredSession) =>
  (session.accessToken ?? session.refreshToken) !== null && isSameTokens(ended, session)

const isSame = (a: EndedSession, b: EndedSession) => isSameTokens(a, b) && a.byCookie === b.byCookie

function parseRecord(json: string | null): StoredRecord {
  const nothing: StoredRecord = { session: noSession, ended: [] }
  if (json === null) return nothing
  try {
    const parsed = v.safeParse(recordSchema, JSON.parse(json))
    if (!parsed.success) return nothing
    const { ended = [], ...session } = parsed.output
    return { session, ended }
  } catch {
    return nothing
  }
}

function withStorage<T>(run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw storageUnavailable(cause)
  }
}

export const isSameSession = (a: StoredSession, b: StoredSession) =>
  a.accessToken === b.accessToken && a.refreshToken === b.refreshToken && a.forkedToken === b.forkedToken
