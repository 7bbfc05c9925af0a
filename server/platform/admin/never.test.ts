/** Makes every call of the Admin API, and compares all tables before and after it. */
import { snakeCase } from '@latchkey/protocol'
import { type AdminRoute, adminRoutes } from '@latchkey/protocol/admin'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { withOutboxTables } from '../../identity/outbox/outbox.ts'
import type { TestSession } from '../../identity/sessions/testing/browser.ts'
import { linkAccount } from '../../identity/users/users.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { startIssuer } from '../../login/oidc/testing/issuer.ts'
import { startCodeNode } from '../../wallet/descriptors/testing/node.ts'
import { contract } from '../../wallet/descriptors/testing/samples.ts'
import { withHookTables } from '../hooks/store.ts'
import { putRequester } from '../provider/requesters.ts'
import { forbiddenEffects, secretColumns } from './never.ts'
import { withAdminTables } from './tables.ts'
import { type CallName, createBody, createProviderBody } from './testing/call-bodies.ts'
import { type AdminFixture, adminFixture } from './testing/fixture.ts'
import { signInOperator } from './testing/operators.ts'

type TableRow = Readonly<Record<string, unknown>>
type Tables = Map<string, TableRow[]>

/** The only tables in which calls add or change rows. */
const writableTables: Readonly<Record<string, string>> = {
  users: 'the block, the mark of a deleted user, or a user without accounts',
  expected_accounts: 'accounts that the first login of a new user must prove',
  user_counts: 'one user less',
  sessions: 'the end of a session',
  apps: 'a new app, or harmless settings',
  allowlist: 'who may log in',
  descriptors: 'words for calls, which never decide where they are approved',
  descriptor_contracts: 'the contracts of those words',
  app_proposals: 'changes for two operators',
  factor_resets: 'requests for another operator',
  user_metadata: 'metadata of the operator',
  external_ids: 'ids of the operator',
  audit_log: 'the entry of the change',
  admin_answers: 'idempotency keys',
  admin_audit: 'the entry of the call',
  admin_audit_heads: 'the head of the chain',
  admin_keys: 'the day of the last use, or the revocation',
  operators: 'the revocation',
  attempts: 'rate limits',
  webhooks: 'webhooks themselves',
  webhook_secrets: 'their secrets',
  hooks: 'hooks, which decide about logins and claims',
  oidc_providers: 'OpenID providers, whose users are new ones',
  message_templates: 'words of mails and texts, without links',
  webhook_events: 'the event of the change',
  webhook_deliveries: 'its deliveries',
  webhook_sequences: 'the number of the event',
  imports: 'an import and its state. `imports/imports.test.ts` runs it',
  import_parts: 'its parts',
  import_chunks: 'its records',
}

const requester = {
  clientId: 'notes',
  name: 'Notes',
  origin: 'https://notes.example',
  redirectAddresses: ['https://notes.example/callback'],
  jwk: null,
}

const names = Object.keys(adminRoutes) as CallName[]

const [acme, globex] = await Promise.all([startIssuer('acme.localhost'), startIssuer('globex.localhost')])
const node = await startCodeNode()
node.codes.set(contract, '0x6001')
afterAll(async () => {
  for (const issuer of [acme, globex]) issuer.close()
  await node.close()
})

type Recording = { before: Tables; after: Tables; answer: string; key: string }

forDefaultEngine((database, engine) => {
  let fixture: AdminFixture
  let ada: TestSession
  let operator: Awaited<ReturnType<typeof signInOperator>>
  let proposal = ''
  let importId = ''
  let descriptor = ''
  const recordings = new Map<CallName, Recording>()

  beforeAll(async () => {
    for (const name of names) {
      fixture = await adminFixture(database())
      await fixture.call('POST', `/apps/${fixture.app.id}/webhooks`, {
        body: { url: 'https://hooks.example/first' },
      })
      ada = await fixture.browser.login('ada@example.com')
      await fixture.call('POST', `/apps/${fixture.app.id}/hooks`, {
        body: { kind: 'login.before', url: 'https://hooks.example/first', on_failure: 'allow' },
      })
      await fixture.makeWallet(ada)
      await fixture.enrolTotp(ada)
      await fixture.context.db
        .insertInto('take_backs' as never)
        .values(await takeBackRow())
        .execute()
      const owner = { appId: fixture.app.id, userId: ada.user.id, sessionId: null }
      const google = { type: 'google_oauth', identifier: '1', profile: { subject: '1' } } as const
      await fixture.context.transaction((trx) => linkAccount(trx, fixture.context, owner, google))
      await putRequester(fixture.context.db, fixture.app.id, requester, 1)
      await fixture.call('POST', `/apps/${fixture.app.id}/oidc`, {
        body: createProviderBody('acme', acme.issuer),
      })
      operator = await signInOperator(fixture, { appId: fixture.app.id })
      const key = ['createApp', 'readSystem'].includes(name)
        ? await fixture.newKey({ appId: null })
        : fixture.key
      descriptor = name === 'removeDescriptor' ? await addDescriptor() : ''
      if (name === 'addDescriptor') await useNode()
      proposal = await propose(name)
      const newImport = { app: fixture.app.id, source: 'csv' }
      importId = (await fixture.call('POST', '/imports', { body: newImport })).body.id
      const csv = createBody('uploadImportPart', { app: fixture.app.id, issuer: '' })
      const part = { body: csv, headers: { 'content-type': 'text/csv' } }
      await fixture.call('PUT', `/imports/${importId}/parts/2`, part)
      const before = await readTables()
      const { text, headers } = await makeCall(name, key)
      const answer = text + JSON.stringify([...headers])
      recordings.set(name, { before, after: await readTables(), answer, key })
      await fixture.context.transaction(async (trx) => {
        for (const table of before.keys()) {
          if (!table.startsWith('latchkey_migration')) await sql`delete from ${sql.table(table)}`.execute(trx)
        }
      })
    }
    // A new server for each call takes its time on a busy machine.
  }, 240_000)
  const recording = (name: CallName): Recording => {
    const found = recordings.get(name)
    if (found === undefined) throw new Error(`${name} was not called`)
    return found
  }

  /** Creates the proposal of another operator. For `applyProposal`, it is approved and its waiting time is over. */
  async function propose(name: CallName): Promise<string> {
    const proposals = `/apps/${fixture.app.id}/proposals`
    const [first, second] = [
      await fixture.newKey({ operator: 'alan' }),
      await fixture.newKey({ operator: 'edsger' }),
    ]
    const body = { settings: { no_prompt: { messages: true, usd_per_day: 1, calls: [], typed_data: [] } } }
    const { id } = (await fixture.call('POST', proposals, { key: first, body })).body
    if (name !== 'applyProposal') return id
    await fixture.call('POST', `${proposals}/${id}/approve`, { key: second })
    await withAdminTables(fixture.context.db)
      .updateTable('app_proposals')
      .set({ due_at: Math.floor(fixture.context.clock.nowMs() / 1_000) })
      .execute()
    return id
  }

  /** Sets the node that has the contract of the descriptor. */
  async function useNode(): Promise<void> {
    const { clock, db } = fixture.context
    await setFields(db, clock, fixture.app.id, [
      ['environment', 'development'],
      ['rpc_urls', { 1: [node.url] }],
    ])
    clock.advanceSeconds(2)
  }
  async function addDescriptor(): Promise<string> {
    await useNode()
    const body = createBody('addDescriptor', { app: fixture.app.id, issuer: '' })
    return (await fixture.call('POST', `/apps/${fixture.app.id}/descriptors`, { body })).body.id
  }

  /** A row for a pending take-back, with a value in each column. */
  async function takeBackRow() {
    const tables = await fixture.context.db.introspection.getTables()
    const columns = tables.find(({ name }) => name === 'take_backs')?.columns ?? []
    const values: Readonly<Record<string, string>> = { user_id: ada.user.id, app_id: fixture.app.id }
    return Object.fromEntries(
      columns.map(({ name, dataType }) => [
        name,
        /int/i.test(dataType) ? 4_000_000_000 : (values[name] ?? 'x'),
      ]),
    ) as never
  }

  const readSchema = async () =>
    (await sql<{ schema: string }>`select current_schema() as schema`.execute(fixture.context.db)).rows[0]
      ?.schema

  async function readTables(): Promise<Tables> {
    const { db } = fixture.context
    const schema = engine === 'postgres' ? await readSchema() : undefined
    const tables: Tables = new Map()
    for (const { name, schema: place } of await db.introspection.getTables()) {
      if (place !== schema) continue
      const { rows } = await sql<TableRow>`select * from ${sql.table(name)}`.execute(db)
      tables.set(name, name === 'apps' ? rows.map(expandConfig) : rows)
    }
    return tables
  }

  /** Makes a column of each setting, so that rules can name single settings. */
  const expandConfig = ({ config, ...columns }: TableRow): TableRow => ({
    ...columns,
    ...Object.fromEntries(
      Object.entries(JSON.parse(String(config))).map(([name, value]) => [`config.${snakeCase(name)}`, value]),
    ),
  })

  async function makeCall(name: CallName, key: string) {
    const { method, path }: AdminRoute = adminRoutes[name]
    const { id: session } = await fixture.context.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', ada.user.id)
      .executeTakeFirstOrThrow()
    const { webhook_id: webhook, event_id: delivery } = await withOutboxTables(fixture.context.db)
      .selectFrom('webhook_deliveries')
      .select(['webhook_id', 'event_id'])
      .executeTakeFirstOrThrow()
    const { id: hook } = await withHookTables(fixture.context.db)
      .selectFrom('hooks')
      .select('id')
      .executeTakeFirstOrThrow()
    const values: Readonly<Record<string, string>> = {
      app: fixture.app.id,
      user: ada.user.id,
      session,
      webhook,
      hook,
      delivery,
      requester: 'notes',
      operator: operator.id,
      key: fixture.key.split('_')[1] ?? '',
      proposal,
      provider: 'acme',
      descriptor,
      import: importId,
      part: '1',
      kind: 'login_code',
      locale: 'en',
    }
    const body = createBody(name, { app: fixture.app.id, issuer: globex.issuer })
    const query = name === 'listImports' ? `?app=${fixture.app.id}` : ''
    const answer = await fixture.call(
      method,
      path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? '') + query,
      {
        key,
        ...(body !== undefined && { body }),
        ...(name === 'uploadImportPart' && { headers: { 'content-type': 'text/csv' } }),
      },
    )
    expect([name, answer.status]).toEqual([name, adminRoutes[name].status])
    return answer
  }

  const withoutColumns = (rows: TableRow[], columns: string[]) =>
    rows.map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)))),
    )

  describe.each(forbiddenEffects)('no call $effect', ({ tables }) => {
    test.each(names)('%s', (name) => {
      const { before, after } = recording(name)
      for (const [table, { changeable = [], removable, addedBy, changedBy }] of Object.entries(tables)) {
        const earlier = withoutColumns(before.get(table) ?? [], changeable)
        const later = withoutColumns(after.get(table) ?? [], changeable)
        expect(before.has(table), table).toBe(true)
        if (changedBy?.includes(name)) continue
        if (addedBy?.includes(name)) expect(later).toEqual(expect.arrayContaining(earlier))
        else expect([table, later.filter((row) => !earlier.includes(row))]).toEqual([table, []])
        if (removable === 'only with the user' && name !== 'deleteUser')
          expect(later).toEqual(expect.arrayContaining(earlier))
      }
    })
  })

  test.each(names)('%s adds and changes rows in the listed tables only', (name) => {
    const { before, after } = recording(name)
    const written = [...after].flatMap(([table, rows]) => {
      const earlier = withoutColumns(before.get(table) ?? [], [])
      return withoutColumns(rows, []).every((row) => earlier.includes(row)) ? [] : [table]
    })
    expect(written.filter((table) => !Object.hasOwn(writableTables, table))).toEqual([])
  })

  test.each(names)('the answer of %s contains no share, secret, code, token or hash of one', (name) => {
    const { before, answer, key } = recording(name)
    const secrets = Object.entries(secretColumns).flatMap(([table, columns]) =>
      columns.flatMap((column) =>
        (before.get(table) ?? []).flatMap((row) => {
          const value = row[column]
          return typeof value === 'string' && value.length > 8 ? [value] : []
        }),
      ),
    )
    expect(secrets.length).toBeGreaterThan(5)
    expect(secrets.filter((secret) => answer.includes(secret))).toEqual([])
    expect(answer).not.toMatch(/eyJ[A-Za-z0-9_-]+\./)
    expect(answer).not.toContain(key.slice(-43))
  })
})
