/** Unlinking passkeys. */
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { forEachEngine, forPostgres, rollsBackAtRandom } from '../../kernel/db/test-engines.ts'
import { linkingFacts, type Person } from '../testing/linking.facts.ts'
import { login as loginByPasskey } from './passkey.ts'
import * as store from './store.ts'
import { type TestPasskey, testPasskey } from './testing/authenticator.ts'
import { type PasskeyFixture, passkeyFixture } from './testing/fixture.ts'

forEachEngine((database) => {
  let fixture: PasskeyFixture
  let context: PasskeyFixture['context']
  let browser: PasskeyFixture['browser']
  let login: PasskeyFixture['login']
  let userWith: PasskeyFixture['userWith']
  let passkeys: Readonly<Record<Person, TestPasskey>>
  beforeEach(async () => {
    passkeys = { 'Ada Lovelace': testPasskey(), 'Ben Okri': testPasskey() }
    fixture = await passkeyFixture(database())
    ;({ context, browser, login, userWith } = fixture)
  })

  // spec L7.17
  linkingFacts(
    () => ({
      fixture,
      type: 'passkey',
      setting: 'passkey_auth',
      calls: { login: 'loginWithPasskey', link: 'linkPasskey', unlink: 'unlinkPasskey' },
      proof: (person, from, token) => fixture.linkProof(token, passkeys[person], from),
      loginProof: async (person, from) => fixture.bodyOf(await fixture.challengeFor(from), passkeys[person]),
      named: (credential_id) => ({ credential_id }),
      shown: { credential_id: passkeys['Ada Lovelace'].credentialId },
    }),
    { several: true, unknown: 'a refusal' },
  )

  describe('unlinking', () => {
    const unlink = (token: string, credential_id: string) =>
      browser.call('unlinkPasskey', { token, body: { credential_id } })

    // spec L8.32
    test('refuses to unlink a passkey that is a second factor', async () => {
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
      // A login keeps the data that other capabilities stored in the account.
      expect(await login(passkey)).toMatchObject({ status: 200 })
      expect(await unlink(token, passkey.credentialId)).toMatchObject({ status: 401 })
    })
  })
})

forPostgres((database) => {
  test.skipIf(rollsBackAtRandom)(
    'unlinking during a login waits for it, and neither is rolled back',
    async () => {
      const { context, app, userWith } = await passkeyFixture(database())
      const key = testPasskey()
      await userWith(key)
      const passkey = await store.findPasskey(context.db, app.id, key.credentialId)
      if (passkey === undefined) throw new Error('The user has a passkey')
      const { promise: loginWaits, resolve: goOn } = Promise.withResolvers<void>()
      const { promise: accountGone, resolve: begin } = Promise.withResolvers<void>()
      // The lock order of unlinking and user deletion. Without `withTransaction`, which would retry.
      const unlinked = context.db.transaction().execute(async (trx) => {
        await trx.deleteFrom('linked_accounts').where('type', '=', 'passkey').execute()
        begin()
        await loginWaits
        await store.removePasskey(trx, app.id, key.credentialId)
      })
      await accountGone
      const loggedIn = context.db
        .transaction()
        .execute((trx) =>
          loginByPasskey(
            trx,
            context,
            app,
            { challenge: '', passkey },
            { counter: 9, browser: { key: 'key', device: null } },
          ),
        )
      loggedIn.catch(() => {})
      await vi.waitUntil(async () => {
        const { rows } = await sql<{ waiting: string }>`
        select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(context.db)
        return Number(rows[0]?.waiting) > 0
      })
      goOn()
      await unlinked
      expect(await loggedIn).toEqual({ type: 'wrong', reason: 'credential' })
    },
  )
})
