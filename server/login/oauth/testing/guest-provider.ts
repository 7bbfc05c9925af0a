/** Tests a provider that no release has, in a copy of the repository with the provider added. */
import type { SocialProvider } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { changeAllowlist, setFields } from '../../../identity/apps/manage.ts'
import { accountName } from '../../../identity/new-methods/names.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { newLogin, oauthFixture, oauthTables } from './fixture.ts'
import { startProviders } from './sandbox.ts'

const guest = 'guest' as SocialProvider
const sandbox = await startProviders()

forEachEngine((database) => {
  test('logs in with the new provider, and finds the user again by the provider’s subject', async () => {
    const fixture = await oauthFixture(database(), sandbox)
    const { app, context, authenticate, codeFor } = fixture
    const refused = await fixture.init(newLogin(), guest)
    expect(refused).toMatchObject({ answer: { code: 'disallowed_login_method' } })
    await setFields(context.db, context.clock, app.id, [['guest_oauth', true]])
    context.clock.advanceSeconds(5)
    const account = { type: 'guest_oauth', email: 'ada.lovelace@example.com', name: 'Ada Lovelace' }
    expect(await authenticate(await codeFor(guest))).toMatchObject({
      status: 200,
      answer: { is_new_user: true, user: { linked_accounts: [account] } },
    })
    expect(await authenticate(await codeFor(guest))).toMatchObject({ answer: { is_new_user: false } })
    expect(await authenticate(await codeFor('google'))).toMatchObject({ answer: { is_new_user: true } })
  })

  test('allows a user by the new provider’s subject on the allowlist', async () => {
    const { app, context } = await oauthFixture(database(), sandbox)
    await changeAllowlist(context.db, app.id, 'add', 'guest_oauth', '1091')
    await expect(changeAllowlist(context.db, app.id, 'add', 'nobody_oauth', '1091')).rejects.toThrow(
      'guest_oauth',
    )
  })
}, oauthTables)

test('calls an account of the new provider by its name in a mail', () => {
  expect(accountName('en', { type: 'guest_oauth', profile: '{}' })).toBe('An account of Guest ID')
})
