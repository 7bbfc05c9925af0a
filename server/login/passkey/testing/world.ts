/** Login with a passkey over HTTP, as one browser at one app sees it. */
import * as v from 'valibot'
import { expect } from 'vitest'
import type { CallOptions, TestBrowser } from '../../../identity/sessions/testing/browser.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { loginWorld } from '../../testing/world.ts'
import type { Ceremony, TestPasskey } from './authenticator.ts'

export const host = 'http://demo.localhost:4010'
const dialog = 'http://dialog.localhost:4000'
/** What a test empties beside the tables that all have. */
export const passkeyTestTables = {
  tables: ['passkeys', 'passkey_challenges', 'passkey_windows', 'window_starts'],
}

export const loginBegun = v.object({
  relying_party: v.string(),
  options: v.looseObject({ challenge: v.string() }),
})
const linkBegun = v.object({
  relying_party: v.string(),
  options: v.looseObject({ challenge: v.string(), user: v.looseObject({ id: v.string() }) }),
})

export const refused = (reason: string) => ({
  status: 422,
  answer: { code: 'invalid_credentials', details: { reason } },
})

export async function passkeyWorld(database: Database) {
  const world = await loginWorld(database, [['passkey_auth', true]])
  const { browser } = world

  const inFrame = (challenge: string): Ceremony => ({
    challenge,
    origin: dialog,
    crossOrigin: true,
    topOrigin: host,
    rpId: 'dialog.localhost',
  })

  const beginLink = (token: string, from = browser) => from.call('beginPasskeyLink', { token })
  const linkOptionsFor = async (token: string, from = browser) =>
    v.parse(linkBegun, (await beginLink(token, from)).answer).options
  type Begun = Awaited<ReturnType<typeof linkOptionsFor>>
  const link = async (
    token: string,
    passkey: TestPasskey,
    {
      from = browser,
      changes = {},
      begun,
      ...options
    }: { from?: TestBrowser; changes?: Partial<Ceremony>; begun?: Begun } & CallOptions = {},
  ) => {
    const { challenge, user } = begun ?? (await linkOptionsFor(token, from))
    const authenticator_response = passkey.make(user.id, { ...inFrame(challenge), ...changes })
    const body = { relying_party: 'dialog.localhost', authenticator_response }
    return from.call('linkPasskey', { token, body, ...options })
  }

  const challengeFor = async (from = browser) =>
    v.parse(loginBegun, (await from.call('beginPasskeyLogin')).answer).options.challenge
  const bodyOf = (challenge: string, passkey: TestPasskey, changes: Partial<Ceremony> = {}) => ({
    relying_party: 'dialog.localhost',
    challenge,
    authenticator_response: passkey.answer({ ...inFrame(challenge), ...changes }),
  })
  const login = async (passkey: TestPasskey, from = browser) =>
    from.call('loginWithPasskey', { body: bodyOf(await challengeFor(from), passkey) })

  /** A user with an e-mail and this passkey. */
  const userWith = async (passkey: TestPasskey, email = 'ada@example.com') => {
    const session = await browser.login(email)
    expect(await link(session.token, passkey)).toMatchObject({ status: 200 })
    return session
  }

  return {
    ...world,
    inFrame,
    beginLink,
    linkOptionsFor,
    link,
    challengeFor,
    bodyOf,
    login,
    userWith,
  }
}
export type PasskeyWorld = Awaited<ReturnType<typeof passkeyWorld>>
