import { expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { recordAudit } from './audit.ts'
import { readAuditPage } from './read-audit.ts'

forEachEngine((database) => {
  test('filters by the area before the dot on each database, and continues a page after the last entry', async () => {
    const { db, transaction } = database()
    for (const [second, event] of [
      'wallet.created',
      'wallet.signed',
      'walletx.signed',
      'wallet.signed',
    ].entries()) {
      const clock = { nowMs: () => (1_000 + second) * 1_000 }
      const entry = { event, appId: 'app', userId: 'user', sessionId: null, details: {} }
      await transaction((trx) => recordAudit(trx, clock, entry))
    }
    const page = await readAuditPage(db, { event: 'wallet', since: 1_000, until: 2_000 }, undefined, 2)
    expect(page.map(({ event, created_at }) => [event, created_at])).toEqual([
      ['wallet.signed', 1_003],
      ['wallet.signed', 1_001],
    ])
    const { created_at: at = 0, id = '' } = page.at(-1) ?? {}
    const rest = await readAuditPage(db, { event: 'wallet' }, { at, id }, 2)
    expect(rest.map(({ event }) => event)).toEqual(['wallet.created'])
  })
})
