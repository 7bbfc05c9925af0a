import { expect, test } from 'vitest'
import { makeFixture } from '../../testing/fixture.ts'
import { makeAuthAnswer, makeToken, visitorUser } from '../../testing/fixtures.ts'

const code = { code: 'one-use', expiresInSeconds: 60 }
const answers = { createSessionCode: () => code }
const nobody = { code: 'must_be_authenticated' }

// spec L6.9
test('rejects a fork of a visitor, and of a user with pending terms', async () => {
  const fixture = await makeFixture({ answers, config: { legal: { requireUsersAcceptTerms: true } } })
  await expect(fixture.more('forkSession', {})).rejects.toMatchObject(nobody)
  fixture.session.accept(makeAuthAnswer())
  await expect(fixture.more('forkSession', {})).rejects.toMatchObject(nobody)
  fixture.session.replaceUser({ ...visitorUser, hasAcceptedTerms: true })
  expect(await fixture.more('forkSession', {})).toEqual(code)
})

test('returns a fork as a one-use code, and keeps the session unchanged', async () => {
  const fixture = await makeFixture({ answers })
  fixture.session.accept(makeAuthAnswer())
  const before = fixture.sessionStore.read()
  expect(await fixture.more('forkSession', {})).toEqual(code)
  expect(fixture.transport.calls('createSessionCode')).toMatchObject([{ body: {}, token: makeToken() }])
  expect(fixture.sessionStore.read()).toEqual(before)
})
