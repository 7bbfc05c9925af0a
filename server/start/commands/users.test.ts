/** Commands that accept a user reference: e-mail address, phone number, wallet, account or id. */
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type MfaFixture, mfaFixture } from '../../account/verification/testing/fixture.ts'
import type { TestSession } from '../../identity/sessions/testing/browser.ts'
import { linkAccount } from '../../identity/users/users.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { withAdminTables } from '../../platform/admin/tables.ts'
import { appTool } from './app-tool.ts'
import { runCommand } from './command.ts'
import type { Confirm } from './confirm.ts'
import { usersTool } from './users.ts'

const solana = '5FHwkrdxntdK24hgQU8qgBjn35Y1zwhz1GZwCkP2UJnM'
const contract = `0x${'c0'.repeat(20)}`

forDefaultEngine((database, _, url) => {
  let fixture: MfaFixture
  let ada: TestSession
  let wallet: string
  beforeEach(async () => {
    fixture = await mfaFixture(database())
    const { clock: fixtureClock } = fixture.context
    // Commands use the clock of the machine or of PostgreSQL.
    fixtureClock.advanceSeconds(Math.floor((Date.now() - fixtureClock.nowMs()) / 1_000))
    ada = await fixture.browser.login('ada@example.com')
    wallet = await fixture.makeWallet(ada)
    const { transaction, clock } = fixture.context
    const owner = { appId: fixture.app.id, userId: ada.user.id, sessionId: null }
    for (const account of [
      { type: 'phone', identifier: '+1 2025550123', profile: { phoneNumber: '+1 2025550123' } },
      {
        type: 'google_oauth',
        identifier: '110169484474386276334',
        profile: { subject: '110169484474386276334', email: 'ada@work.example', name: 'Ada' },
      },
      { type: 'custom_auth', identifier: '00012345678', profile: { customUserId: '00012345678' } },
      {
        type: 'wallet',
        identifier: `eip155:8453:${contract}`,
        profile: {
          address: contract,
          chainType: 'ethereum',
          chainId: 'eip155:8453',
          walletClient: 'unknown',
        },
      },
    ] as const) {
      await transaction((trx) => linkAccount(trx, { clock }, owner, account))
    }
    const { db } = fixture.context
    const ethereum = await db.selectFrom('wallets').selectAll().executeTakeFirstOrThrow()
    const second = { id: 'wal_solana', chain_type: 'solana', address: solana } as const
    await db
      .insertInto('wallets')
      .values({ ...ethereum, ...second })
      .execute()
  })

  async function run(args: string[], confirm?: Confirm) {
    const printed: string[] = []
    const environment = { DATABASE_URL: url(), MASTER_KEY_FILE: join('/nowhere', 'master.key') }
    const [name, ...rest] = args
    const isUsers = name === 'users'
    const print = (line: string) => void printed.push(line)
    const ran = await runCommand(
      isUsers ? usersTool : appTool,
      isUsers ? rest : args,
      environment,
      print,
      confirm,
    )
    return { ...ran, printed }
  }
  const events = async (event: string) =>
    (
      await fixture.context.db
        .selectFrom('audit_log')
        .select(['user_id', 'details'])
        .where('event', '=', event)
        .execute()
    ).map(({ user_id, details }) => [user_id, JSON.parse(details)])

  /** One reference per kind. References that depend on the fixture are functions. */
  const references: readonly (readonly [string, string | (() => string)])[] = [
    ['an e-mail address', 'ada@example.com'],
    ['an e-mail address in another case', ' Ada@EXAMPLE.com '],
    ['an e-mail address that a provider verified', 'ada@work.example'],
    ['a phone number', '+12025550123'],
    ['a phone number with spaces', '+1 (202) 555-0123'],
    ['an embedded wallet', () => wallet],
    ['an embedded wallet in lowercase', () => wallet.toLowerCase()],
    ['a contract wallet', contract],
    ['a contract wallet with its chain', `eip155:8453:${contract}`],
    ['a wallet of Solana', solana],
    ['an external account', 'google_oauth:110169484474386276334'],
    ['an id', () => ada.user.id],
    ["an id of the app's own issuer", '00012345678'],
  ]
  const resolveReference = (reference: string | (() => string)) =>
    typeof reference === 'string' ? reference : reference()

  test.each(references)('users find resolves %s', async (_kind, reference) => {
    const { ok, printed } = await run(['users', 'find', resolveReference(reference), '--json'])
    expect(ok).toBe(true)
    expect(printed.map((line) => JSON.parse(line))).toMatchObject([
      { app: fixture.app.id, user: ada.user.id },
    ])
    expect(await events('user.viewed_by_operator')).toEqual([[ada.user.id, { command: 'find' }]])
  })

  test.each(references)('audit resolves %s', async (_kind, reference) => {
    const { printed } = await run([
      'audit',
      '--user',
      resolveReference(reference),
      '--event',
      'user.created',
      '--json',
    ])
    expect(printed.map((line) => JSON.parse(line).user)).toEqual([ada.user.id])
  })

  test.each([
    ['bob@example.com', 'the e-mail address bob@example.com'],
    ['+12025550199', 'the phone number +1 2025550199'],
    [`0x${'ab'.repeat(20)}`, `the wallet 0x${'ab'.repeat(20)}`],
    ['google_oauth:7', 'the account google_oauth:7'],
    ['usr_nobody', 'the id usr_nobody'],
  ])('every command rejects %s, which belongs to no user', async (reference, words) => {
    const { id } = fixture.app
    const anywhere = `No app has a user with ${words}.`
    for (const args of [
      ['users', 'find'],
      ['users', 'show'],
      ['users', 'sessions'],
      ['users', 'revoke'],
      ['users', 'block', '--yes'],
      ['users', 'unblock'],
      ['users', 'delete', '--yes'],
      ['users', 'mfa-reset', '--yes'],
      ['audit', '--user'],
    ])
      expect(await run([...args, reference])).toMatchObject({ ok: false, why: anywhere })
    const here = `App ${id} has no user with ${words}.`
    expect(await run(['connected-apps', id, 'list', reference])).toMatchObject({ ok: false, why: here })
  })

  test('create stores a user with an expected account, and refuses a linked account', async () => {
    const { app } = fixture
    const create = (...options: string[]) => run(['users', 'create', '--app', app.id, '--json', ...options])
    const { printed } = await create('--account', 'email:Bob@example.com', '--external-id', 'customer-42')
    const { user } = JSON.parse(printed[0] ?? '{}')
    const found = await run(['users', 'find', 'bob@example.com', '--json'])
    expect(JSON.parse(found.printed[0] ?? '{}')).toMatchObject({ user })
    expect(await create('--account', 'email:ada@example.com')).toMatchObject({
      ok: false,
      why: 'Another user has one of the accounts, or was created for it.',
    })
    expect(
      await create('--account', 'email:carol@example.com', '--external-id', 'customer-42'),
    ).toMatchObject({
      ok: false,
      why: 'Another user has the external id.',
    })
    expect(await create('--account', 'carol')).toMatchObject({ ok: false })
  })

  test('users export prints each user without shares, and continues after a cursor', async () => {
    const { ok, printed } = await run(['users', 'export', '--app', fixture.app.id])
    const [line = ''] = printed
    const { cursor, ...user } = JSON.parse(line)
    expect([ok, printed.length, user.id, user.wallets[0].address]).toEqual([true, 1, ada.user.id, wallet])
    expect(line).not.toContain('share')
    const rest = await run(['users', 'export', '--app', fixture.app.id, '--after', cursor])
    expect(rest).toEqual({ ok: true, printed: [] })
    const audit = await withAdminTables(fixture.context.db).selectFrom('admin_audit').selectAll().execute()
    expect(audit).toMatchObject([
      { actor: 'command', operation: 'users.exported' },
      { actor: 'command', operation: 'users.exported' },
    ])
  })

  test('rejects a malformed address, number or account type with an explanation', async () => {
    expect(await run(['users', 'find', 'ada@'])).toMatchObject({
      ok: false,
      why: '"ada@" is not a valid identifier for email.',
    })
    expect(await run(['users', 'find', '+1 202'])).toMatchObject({ ok: false })
    expect(await run(['users', 'find', 'myspace:7'])).toMatchObject({
      ok: false,
      why: expect.stringContaining('The type must be one of email'),
    })
  })

  test('lists two users with the same address, and rejects an ambiguous reference', async () => {
    const other = await fixture.newApp()
    const twin = await fixture.newBrowser(other).login('ada@example.com')
    const { printed } = await run(['users', 'find', 'ada@example.com', '--json'])
    expect(printed.map((line) => JSON.parse(line).user).sort()).toEqual([ada.user.id, twin.user.id].sort())
    const refused = await run(['users', 'revoke', 'ada@example.com'])
    expect(refused).toMatchObject({
      ok: false,
      why: expect.stringContaining('2 users have the e-mail address'),
    })
    expect(refused).toMatchObject({ why: expect.stringContaining(`  ${other.id}  ${twin.user.id}`) })
    expect(await run(['users', 'revoke', 'ada@example.com', '--app', other.id])).toMatchObject({
      ok: true,
      printed: [`Ended 1 sessions of user ${twin.user.id}.`],
    })
    expect(await fixture.browser.call('me', { token: ada.token })).toMatchObject({ status: 200 })
  })

  test('users show prints the accounts, wallets and sessions', async () => {
    const { printed } = await run(['users', 'show', 'ada@example.com'])
    const text = printed.join('\n')
    for (const part of [
      ada.user.id,
      'email:ada@example.com',
      'google_oauth:110169484474386276334',
      `ethereum ${wallet}`,
    ])
      expect(text).toContain(part)
    expect(text).toMatch(/^sessions +1$/m)
    expect(await events('user.viewed_by_operator')).toEqual([[ada.user.id, { command: 'show' }]])
  })

  test('users sessions lists active sessions, and users revoke ends one or all of them', async () => {
    const second = await fixture.newBrowser().login('ada@example.com')
    const list = async () =>
      (await run(['users', 'sessions', '+12025550123', '--json'])).printed.map((line) => JSON.parse(line))
    const [newest, oldest] = await list()
    expect([newest, oldest]).toMatchObject([{ kind: 'login' }, { kind: 'login' }])
    const getSessionId = async (session: TestSession) =>
      JSON.parse(Buffer.from(session.token.split('.')[1] ?? '', 'base64url').toString()).sid
    const id = await getSessionId(ada)
    expect(await run(['users', 'revoke', 'ada@example.com', '--session', id])).toMatchObject({ ok: true })
    expect((await list()).map(({ session }) => session)).toEqual([await getSessionId(second)])
    expect(await fixture.browser.call('me', { token: ada.token })).toMatchObject({ status: 401 })
    expect(await run(['users', 'revoke', 'ada@example.com', '--session', id])).toMatchObject({
      ok: false,
      why: `User ${ada.user.id} has no session ${id}.`,
    })
    expect(await run(['users', 'revoke', wallet])).toMatchObject({ ok: true })
    expect(await list()).toEqual([])
    expect(await events('session.revoked_by_operator')).toEqual([
      [ada.user.id, { sessions: 1 }],
      [ada.user.id, { sessions: 1 }],
    ])
  })

  describe('changes that ask for confirmation', () => {
    const answering =
      (answer: Awaited<ReturnType<Confirm>>, questions: string[] = []): Confirm =>
      async (question) => {
        questions.push(question)
        return answer
      }
    const show = async () =>
      JSON.parse((await run(['users', 'show', ada.user.id, '--json'])).printed.join(''))

    test.each([
      ['delete', 'Nothing is deleted'],
      ['block', 'Nobody is blocked'],
      ['mfa-reset', 'Nothing is removed'],
    ])('users %s needs a yes at a terminal, or --yes', async (command, unchanged) => {
      const questions: string[] = []
      const args = ['users', command, 'ada@example.com']
      expect(await run(args, answering('no terminal'))).toMatchObject({
        ok: false,
        why: `${unchanged}: there is no terminal to confirm at. Add --yes.`,
      })
      expect(await run(args, answering('no', questions))).toMatchObject({ ok: false, why: `${unchanged}.` })
      expect(questions[0]).toContain(`${ada.user.id} of app ${fixture.app.id} (`)
      expect(questions[0]).toContain('email:ada@example.com')
      expect(await show()).toMatchObject({ blocked: null, sessions: 1 })
      expect(await run(args, answering('yes'))).toMatchObject({ ok: true })
      expect(await fixture.browser.call('me', { token: ada.token })).toMatchObject({ status: 401 })
    })

    test('users delete deletes a user, and later commands report the day', async () => {
      expect(await run(['users', 'delete', '+12025550123', '--yes', '--json'])).toEqual({
        ok: true,
        printed: [JSON.stringify({ app: fixture.app.id, user: ada.user.id })],
      })
      expect(await events('user.deleted')).toEqual([[ada.user.id, { by: 'operator', verified: null }]])
      expect(await run(['users', 'delete', ada.user.id, '--yes'])).toMatchObject({
        ok: false,
        why: expect.stringMatching(/^User usr_\S+ of app \w+ was deleted on \d{4}-\d\d-\d\d\.$/),
      })
      const { printed } = await run(['audit', '--user', ada.user.id, '--event', 'user.deleted', '--json'])
      expect(printed).toHaveLength(1)
    })

    test('users block and unblock change whether a user can log in', async () => {
      const blocking = ['users', 'block', wallet, '--yes', '--reason', 'chargeback']
      expect((await run(blocking)).printed).toEqual([`Blocked user ${ada.user.id} and ended 1 sessions.`])
      expect(await show()).toMatchObject({ blocked: expect.any(String), blockReason: 'chargeback' })
      expect((await run(['users', 'find', wallet])).printed[1]).toContain('  blocked 20')
      expect((await run(['users', 'show', wallet])).printed.join('\n')).toMatch(
        /^blocked +20\S+ +chargeback$/m,
      )
      expect(await run(blocking)).toMatchObject({ ok: false, why: `User ${ada.user.id} is blocked already.` })
      expect((await run(['users', 'unblock', wallet])).printed).toEqual([
        `User ${ada.user.id} can log in again.`,
      ])
      expect(await run(['users', 'unblock', wallet])).toMatchObject({
        ok: false,
        why: `User ${ada.user.id} is not blocked.`,
      })
      expect(await run(['users', 'block', wallet, '--yes', '--reason', 'x'.repeat(201)])).toMatchObject({
        ok: false,
        why: '--reason needs 1 to 200 characters.',
      })
      // The note may contain personal data, so the audit log omits it.
      expect(await events('user.blocked_by_operator')).toEqual([[ada.user.id, { sessions: 1 }]])
    })

    test('users mfa-reset reports the removed methods', async () => {
      expect(await run(['users', 'mfa-reset', 'ada@work.example', '--yes', '--json'])).toEqual({
        ok: true,
        printed: [JSON.stringify({ app: fixture.app.id, user: ada.user.id, methods: [], sessions: 1 })],
      })
    })
  })
})

test.each([
  [['--help'], 'Usage: latchkey app <command>'],
  [['-h'], 'Usage: latchkey app <command>'],
  [['show', '--help'], 'Usage: latchkey app show <id> [--json]'],
])('latchkey app %j prints the usage and succeeds without a database', async (args, usage) => {
  const printed: string[] = []
  const ran = await runCommand(appTool, args, { DATABASE_URL: '/nowhere/at/all' }, (line) =>
    printed.push(line),
  )
  expect(ran).toEqual({ ok: true })
  expect(printed.join('\n').split('\n')[0]).toBe(usage)
})
