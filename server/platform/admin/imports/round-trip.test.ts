/** Moves a filled app into an empty server: the same people log in as the same external ids. */
import { beforeEach, expect, test } from 'vitest'
import { testBrowser } from '../../../identity/sessions/testing/browser.ts'
import { findOrCreateUser, linkAccount, type ProvenAccount } from '../../../identity/users/users.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { type ImportFixture, importFixture } from './testing/fixture.ts'

const google = (subject: string): ProvenAccount => ({
  type: 'google_oauth',
  identifier: subject,
  profile: { subject },
})

forEachEngine((database) => {
  let old: ImportFixture
  beforeEach(async () => {
    old = await importFixture(database())
  })

  /** Empties the database, like that of a new server, and returns its Admin API. */
  async function openEmptyServer(): Promise<ImportFixture> {
    const { db, transaction } = old.context
    const tables = await db.introspection.getTables()
    await transaction(async (trx) => {
      for (const { name, schema } of tables) {
        const isOther = schema === 'pg_catalog' || schema === 'information_schema'
        if (!isOther && !name.startsWith('latchkey_migration')) await trx.deleteFrom(name as never).execute()
      }
    })
    return importFixture(database())
  }

  test('users keep their external ids, metadata and blocks, and prove their accounts again', async () => {
    const users = `/apps/${old.app.id}/users`
    const ada = await old.browser.login('ada@example.com')
    await old.makeWallet(ada)
    await old.enrolTotp(ada)
    const body = { external_id: 'customer-1', metadata: { public: { plan: 'pro' }, private: { note: 'x' } } }
    await old.call('PATCH', `${users}/${ada.user.id}`, { body })
    const owner = { appId: old.app.id, userId: ada.user.id, sessionId: null }
    await old.context.transaction((trx) => linkAccount(trx, old.context, owner, google('1101')))
    old.context.clock.advanceSeconds(1)
    const bob = await old.login('bob@example.com')
    old.context.clock.advanceSeconds(1)
    const eve = await old.login('eve@example.com')
    await old.call('PATCH', `${users}/${eve}`, { body: { blocked: { reason: 'spam' } } })
    old.context.clock.advanceSeconds(1)
    const zoe = await old.call('POST', users, {
      body: { accounts: [{ type: 'phone', identifier: '+14155550100' }], external_id: 'customer-4' },
    })
    const { text } = await old.call('GET', `/apps/${old.app.id}/export`)

    const target = await openEmptyServer()
    const { summary, report } = await target.run('latchkey', text)
    expect(summary).toMatchObject({ state: 'finished', created: 4, merged: 0, conflicts: 0, skipped: 0 })
    const [first, , third, fourth] = report
    expect(first?.left_out).toEqual(['embedded_wallet'])

    const imported = await Promise.all(report.map(({ id }) => target.getUser(id)))
    expect(imported.map((user) => user.external_id)).toEqual(['customer-1', bob, eve, 'customer-4'])
    expect(imported.every((user) => user.accounts.length === 0 && user.wallets.length === 0)).toBe(true)
    expect(imported[0]).toMatchObject({ metadata: body.metadata, factors: [] })
    expect(imported[2]).toMatchObject({ id: third?.id, blocked: { reason: 'spam' } })

    const login = (address: string) =>
      testBrowser(target.publicServer, target.context, target.app).login(address)
    expect((await login('bob@example.com')).user.id).toBe(report[1]?.id)
    await expect(login('eve@example.com')).rejects.toThrow()
    const { context } = target
    const app = await context.apps.find(target.app.id)
    if (app === undefined) throw new Error('The app does not exist')
    const byGoogle = await context.transaction((trx) => findOrCreateUser(trx, context, app, google('1101')))
    expect(byGoogle).toMatchObject({ type: 'found', userId: first?.id })
    const phone = { type: 'phone', identifier: '+1 4155550100', profile: {} } as const
    const byPhone = await context.transaction((trx) => findOrCreateUser(trx, context, app, phone))
    expect(byPhone).toMatchObject({ type: 'found', userId: fourth?.id })
    expect(fourth?.id).not.toBe(zoe.body.id)
  })
})
