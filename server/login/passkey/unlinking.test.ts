/** A passkey that is taken from its user. */
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../db/test-engines.ts'
import { testPasskey } from './testing/authenticator.ts'
import { type PasskeyWorld, passkeyTestTables, passkeyWorld, refused } from './testing/world.ts'

forEachEngine((database) => {
  let context: PasskeyWorld['context']
  let browser: PasskeyWorld['browser']
  let login: PasskeyWorld['login']
  let userWith: PasskeyWorld['userWith']
  beforeEach(async () => {
    ;({ context, browser, login, userWith } = await passkeyWorld(database()))
  })

  describe('unlinking', () => {
    const unlink = (token: string, credential_id: string) =>
      browser.call('unlinkPasskey', { token, body: { credential_id } })

    // spec L7.17
    test('takes the passkey from the user, and it logs nobody in any more', async () => {
      const passkey = testPasskey()
      const { token } = await userWith(passkey)
      expect(await unlink(token, passkey.credentialId)).toMatchObject({
        status: 200,
        answer: { linked_accounts: [{ type: 'email' }] },
      })
      expect(await login(passkey)).toMatchObject(refused('credential'))
      expect(await unlink(token, passkey.credentialId)).toMatchObject({
        status: 404,
        answer: { code: 'linked_account_not_found' },
      })
    })

    test('of somebody else’s is refused', async () => {
      const passkey = testPasskey()
      await userWith(passkey)
      const { token } = await browser.login('bob@example.com')
      expect(await unlink(token, passkey.credentialId)).toMatchObject({
        status: 404,
        answer: { code: 'linked_account_not_found' },
      })
      expect(await login(passkey)).toMatchObject({ status: 200 })
    })

    // spec L8.32
    test('of one that is a second factor is refused', async () => {
      const passkey = testPasskey()
      const { token } = await userWith(passkey)
      const enrolled = JSON.stringify({ credentialId: passkey.credentialId, enrolledInMfa: true })
      await context.db
        .updateTable('linked_accounts')
        .set({ profile: enrolled })
        .where('identifier', '=', passkey.credentialId)
        .execute()
      expect(await unlink(token, passkey.credentialId)).toMatchObject({
        status: 401,
        answer: {
          code: 'missing_or_invalid_mfa',
          error: 'Cannot unlink a passkey enrolled in MFA',
        },
      })
      // A login leaves what other capabilities wrote of the account.
      expect(await login(passkey)).toMatchObject({ status: 200 })
      expect(await unlink(token, passkey.credentialId)).toMatchObject({ status: 401 })
    })

    test('of the only account is refused', async () => {
      const passkey = testPasskey()
      const { token, user } = await userWith(passkey)
      await context.db
        .deleteFrom('linked_accounts')
        .where('user_id', '=', user.id)
        .where('type', '=', 'email')
        .execute()
      expect(await unlink(token, passkey.credentialId)).toMatchObject({
        status: 400,
        answer: { code: 'cannot_unlink_sole_account' },
      })
      expect(await login(passkey)).toMatchObject({ status: 200 })
    })
  })
}, passkeyTestTables)
