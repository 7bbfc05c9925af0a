/** Login with a passkey over HTTP, from one browser in one app. */
import * as v from 'valibot'
import { expect } from 'vitest'
import type { CallOptions, TestBrowser } from '../../../identity/sessions/testing/browser.ts'
import type { Database } from '../../../kernel/db/database.ts'
import { appFixture } from '../../../testing/fixture.ts'
import type { Ceremony, TestPasskey } from './authenticator.ts'

export const host = 'http://demo.localhost:4010'
const dialog = 'http://dialog.localhost:4000'
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

export async function passkeyFixture(database: Database) {
  const fixture = await appFixture(database, [['passkey_auth', true]])
  const { browser } = fixture

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
  const linkBody = (passkey: TestPasskey, { challenge, user }: Begun, changes: Partial<Ceremony> = {}) => ({
    relying_party: 'dialog.localhost',
    authenticator_response: passkey.make(user.id, { ...inFrame(challenge), ...changes }),
  })
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
    const body = linkBody(passkey, begun ?? (await linkOptionsFor(token, from)), changes)
    return from.call('linkPasskey', { token, body, ...options })
  }
  /** Creates the registration response for a passkey. */
  const linkProof = async (token: string, passkey: TestPasskey, from = browser) =>
    linkBody(passkey, await linkOptionsFor(token, from))

  const challengeFor = async (from = browser) =>
    v.parse(loginBegun, (await from.call('beginPasskeyLogin')).answer).options.challenge
  const bodyOf = (challenge: string, passkey: TestPasskey, changes: Partial<Ceremony> = {}) => ({
    relying_party: 'dialog.localhost',
    challenge,
    authenticator_response: passkey.answer({ ...inFrame(challenge), ...changes }),
  })
  const login = async (passkey: TestPasskey, from = browser) =>
    from.call('loginWithPasskey', { body: bodyOf(await challengeFor(from), passkey) })

  /** Creates a user with an e-mail address and this passkey. */
  const userWith = async (passkey: TestPasskey, email = 'ada@example.com') => {
    const session = await browser.login(email)
    expect(await link(session.token, passkey)).toMatchObject({ status: 200 })
    return session
  }

  return {
    ...fixture,
    inFrame,
    beginLink,
    linkOptionsFor,
    link,
    linkProof,
    challengeFor,
    bodyOf,
    login,
    userWith,
  }
}
export type PasskeyFixture = Awaited<ReturnType<typeof passkeyFixture>>
