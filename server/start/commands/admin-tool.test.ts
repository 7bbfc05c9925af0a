/** `latchkey admin keys` and `latchkey audit verify`, as an operator runs them. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { createAdminApp } from '../../platform/admin/admin.ts'
import { withAdminTables } from '../../platform/admin/tables.ts'
import { testApp, testContext } from '../../testing/context.ts'
import { capabilities } from '../capabilities.ts'
import { adminTool } from './admin-tool.ts'
import { auditTool } from './audit-tool.ts'
import { runCommand } from './command.ts'

forDefaultEngine((database, _, url) => {
  async function run(args: string[]) {
    const printed: string[] = []
    const environment = { DATABASE_URL: url(), MASTER_KEY_FILE: join('/nowhere', 'master.key') }
    const [name, ...rest] = args
    const tool = name === 'admin' ? adminTool : auditTool
    const ran = await runCommand(tool, rest, environment, (line) => void printed.push(line))
    return { ...ran, printed }
  }
  const create = async (...options: string[]) => {
    const { printed } = await run(['admin', 'keys', 'create', '--name', 'support', '--json', ...options])
    const { id, key, expires } = JSON.parse(printed[0] ?? '{}')
    return { id: String(id), key: String(key), expires: Date.parse(expires) }
  }

  test('creates a key that works, lists it without its secret, and revokes it', async () => {
    const context = await testContext(database())
    context.clock.advanceMs(Date.now() - context.clock.nowMs())
    const server = createAdminApp(
      context,
      capabilities.flatMap(({ adminEndpoints = [] }) => adminEndpoints),
    )
    const { id, key, expires } = await create(
      '--scope',
      'audit:read',
      '--scope',
      'users:read',
      '--operator',
      'Grace',
    )
    expect(Math.round((expires - Date.now()) / 86_400_000)).toBe(90)
    const read = async () => {
      const headers = { authorization: `Bearer ${key}` }
      return (await server.request('/admin/v1/audit/head', { headers })).status
    }
    expect(await read()).toBe(200)

    const { printed } = await run(['admin', 'keys', 'list'])
    expect(printed).toHaveLength(2)
    expect(printed[1]).toContain(`${id}  support  grace     every app  audit:read users:read  until `)
    expect(printed.join('\n')).not.toContain(key.slice(-43))

    expect((await run(['admin', 'keys', 'revoke', id])).printed).toEqual([`Revoked key ${id}.`])
    expect(await read()).toBe(401)
    expect((await run(['admin', 'keys', 'revoke', id])).printed).toEqual([`Key ${id} is revoked already.`])
  })

  test.each([
    [['--scope', 'users:steal'], /^There is no scope users:steal\. Scopes: users:read, /],
    [[], /^A key needs a scope: users:read, /],
    [['--scope', 'approvals:agree'], /^A key with an approvals scope needs --operator, /],
    [['--scope', 'users:read', '--operator', 'command'], /^The operator needs 1 to 64 visible characters, /],
    [['--scope', 'users:read', '--expires', '366d'], /^A key expires after 1 to 365 days\.$/],
    [['--scope', 'users:read', '--expires', '1y'], /^--expires must be a number of days such as 90d\.$/],
    [['--scope', 'users:read', '--app', 'nope'], /^There is no app with the id nope\.$/],
    [['--scope', 'users:read', '--address', '10.0.0.0/99'], /^10\.0\.0\.0\/99 is no address or network/],
  ])('refuses a key with %j', async (options, why) => {
    const refused = await run(['admin', 'keys', 'create', '--name', 'support', ...options])
    expect(refused).toMatchObject({ ok: false, why: expect.stringMatching(why) })
    expect((await run(['admin', 'keys', 'list'])).printed).toEqual(['There are no admin keys.'])
  })

  test('refuses to revoke an unknown key', async () => {
    expect(await run(['admin', 'keys', 'revoke', 'nope'])).toMatchObject({
      ok: false,
      why: 'There is no admin key with the id nope.',
    })
  })

  describe('audit verify', () => {
    test('prints the heads, accepts them later, and reports a removed entry', async () => {
      const app = await testApp(await testContext(database()))
      expect((await run(['audit', 'verify'])).printed).toEqual(['The audit log is empty.'])
      await create('--scope', 'users:read', '--app', app.id)
      await create('--scope', 'users:read', '--app', app.id)
      const { printed: heads } = await run(['audit', 'verify'])
      expect(heads).toEqual([expect.stringMatching(new RegExp(`^${app.id}:2:[A-Za-z0-9_-]{43}$`))])
      await create('--scope', 'users:read', '--app', app.id)
      const check = () => run(['audit', 'verify', ...heads.flatMap((head) => ['--head', head])])
      expect(await check()).toMatchObject({ ok: true })
      await withAdminTables(database().db).deleteFrom('admin_audit').where('sequence', '=', 2).execute()
      expect(await check()).toMatchObject({ ok: false, why: `The entry 2 of app ${app.id} is missing.` })
    })

    test('refuses a malformed head', async () => {
      expect(await run(['audit', 'verify', '--head', 'x'])).toMatchObject({
        ok: false,
        why: 'x is no head: pass <app>:<sequence>:<hash>.',
      })
    })
  })
})
