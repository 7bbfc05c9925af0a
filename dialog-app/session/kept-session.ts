/** What this browser keeps of a session, and what an answer of the server does to it. */
import { product, type SessionUpdateAction, sessionSchema } from '@latchkey/protocol'
import * as v from 'valibot'
import type { KeyValueStore } from '../browser/ports.ts'
import { noStorage } from '../browser/storage.ts'
import { subjectOf } from './token.ts'

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

/** A session that is over here, for as long as the server has not heard of it: what ends it there. */
const endedSessionSchema = v.object({
  accessToken: v.nullable(v.string()),
  refreshToken: v.nullable(v.string()),
  /** Its refresh token is in the cookie: while that is so, the cookie is nobody's. */
  byCookie: v.boolean(),
})
export type EndedSession = v.InferOutput<typeof endedSessionSchema>

/** One record, so that a session ends in the same write that says what the server has still to hear. */
const recordSchema = v.object({
  ...keptSessionSchema.entries,
  ended: v.exactOptional(v.array(endedSessionSchema)),
})
type Kept = { session: KeptSession; ended: readonly EndedSession[] }

/** `storage`: the refresh token is kept here. `cookie`: the server keeps it in a cookie that no script reads. */
export type SessionMode = 'storage' | 'cookie'

export type TokenAnswer = {
  token: string | null
  refreshToken: string | null
  hostToken?: string | null
  sessionUpdateAction?: SessionUpdateAction
}

export function updateSession(kept: KeptSession, answer: TokenAnswer, mode: SessionMode): KeptSession {
  const { token, refreshToken, hostToken = null, sessionUpdateAction } = answer
  switch (sessionUpdateAction) {
    case 'clear':
      return noSession
    case 'ignore': {
      const own = isOfAnotherUser(kept, token) ? noSession : kept
      return { ...own, accessToken: token ?? own.accessToken, hostToken: hostToken ?? own.hostToken }
    }
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

/** A cookie may be another user's by now: nothing of the one before is left beside their token. */
function isOfAnotherUser(kept: KeptSession, token: string | null): boolean {
  return token !== null && kept.accessToken !== null && subjectOf(token) !== subjectOf(kept.accessToken)
}

export type SessionKeeper = {
  read: () => KeptSession
  write: (session: KeptSession) => void
  clear: () => void
  /** Whether the stored session is one that a logout is ending. */
  isEnding: () => boolean
  /** What the server has still to hear. */
  ended: () => readonly EndedSession[]
  /** Keeps this session, and in the same write what ended. */
  end: (ended: EndedSession, session: KeptSession) => void
  /** The server has heard. A stored session with these tokens goes in the same write. */
  forget: (heard: EndedSession) => void
}

/** Parsed when read: what is there may be of an older version, or of somebody else's making. */
export function createSessionKeeper(ports: { appId: string; store: KeyValueStore }): SessionKeeper {
  const name = product.storageName(ports.appId, 'session')
  const read = () => guarded(() => parseKept(ports.store.read(name)))

  function write({ session, ended }: Kept) {
    const isWorthKeeping = ended.length > 0 || holdsSomething(session)
    guarded(() =>
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
      return ended.some((each) => isOf(each, session))
    },
    ended: () => read().ended,
    end: (ended, session) => write({ session, ended: [...read().ended, ended] }),
    forget(heard) {
      const { session, ended } = read()
      write({
        session: isOf(heard, session) ? noSession : session,
        ended: ended.filter((each) => !isSame(each, heard)),
      })
    },
  }
}

const holdsSomething = ({ providerAccessTokens, ...tokens }: KeptSession) =>
  Object.values(tokens).some((token) => token !== null) || Object.keys(providerAccessTokens).length > 0

const isSameTokens = (a: TokenPair, b: TokenPair) =>
  a.accessToken === b.accessToken && a.refreshToken === b.refreshToken
type TokenPair = Pick<EndedSession, 'accessToken' | 'refreshToken'>

const isOf = (ended: EndedSession, session: KeptSession) =>
  (session.accessToken ?? session.refreshToken) !== null && isSameTokens(ended, session)

const isSame = (a: EndedSession, b: EndedSession) => isSameTokens(a, b) && a.byCookie === b.byCookie

function parseKept(json: string | null): Kept {
  const nothing: Kept = { session: noSession, ended: [] }
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

function guarded<T>(run: () => T): T {
  try {
    return run()
  } catch (cause) {
    throw noStorage(cause)
  }
}

export const sameSession = (a: KeptSession, b: KeptSession) =>
  a.accessToken === b.accessToken && a.refreshToken === b.refreshToken && a.forkedToken === b.forkedToken
