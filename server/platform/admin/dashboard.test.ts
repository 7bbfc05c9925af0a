/** The pages of the dashboard, as a browser loads them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { collectEnvironment } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { capabilities } from '../../start/capabilities.ts'
import { createAdminApp } from './admin.ts'
import { type AdminFixture, adminFixture, adminOrigin } from './testing/fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-dashboard-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Latchkey</title>')
writeFileSync(join(folder, 'assets/index-Ab3_x9Qz.js'), 'console.log(1)')
afterAll(() => rmSync(folder, { recursive: true }))

const read = (variables: Readonly<Record<string, string>>) =>
  parseConfig(variables, collectEnvironment(capabilities))
const address = { ADMIN_ADDRESS: '127.0.0.1:4100' }

forDefaultEngine((database) => {
  let fixture: AdminFixture
  beforeEach(async () => {
    const config = read({ ...address, ADMIN_ORIGIN: adminOrigin, DASHBOARD_DIST: folder })
    fixture = await adminFixture(database(), { config })
  })
  const get = (path: string) => fixture.server.request(adminOrigin + path)

  test.each(['/', '/apps/abc/users', '/invitation'])(
    'serves the page at %s under a strict policy',
    async (path) => {
      const answer = await get(path)
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('<title>Latchkey')])
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ])
      expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
    },
  )

  test('serves hashed files for good, and answers no unknown path of the API with a page', async () => {
    const script = await get('/assets/index-Ab3_x9Qz.js')
    expect(script.headers.get('cache-control')).toContain('immutable')
    for (const path of ['/assets/index-Other_9Q.js', '/admin/v1/nowhere', '/admin/session/nowhere']) {
      expect((await get(path)).status).toBe(404)
    }
  })

  test('is on no public listener', async () => {
    const headers = { host: 'dialog.localhost:4000' }
    for (const path of ['/invitation', '/admin/session/session']) {
      expect(
        (await fixture.publicServer.request(`http://dialog.localhost:4000${path}`, { headers })).status,
      ).toBe(404)
    }
  })

  test('is off without ADMIN_ORIGIN', async () => {
    const server = createAdminApp({ ...fixture.context, config: read(address) }, [])
    for (const path of ['/', '/admin/session/session']) {
      expect((await server.request(adminOrigin + path)).status).toBe(404)
    }
  })
})

test.each([
  [{ ADMIN_ORIGIN: adminOrigin }, 'ADMIN_ORIGIN needs ADMIN_ADDRESS, the listener of the dashboard'],
  [
    { ...address, ADMIN_ORIGIN: 'http://admin.example' },
    'ADMIN_ORIGIN must be https, except on localhost, because browsers offer passkeys only on secure pages',
  ],
  [
    { ...address, ADMIN_ORIGIN: 'http://dialog.localhost:4100' },
    'ADMIN_ORIGIN must have another hostname than DIALOG_ORIGIN and WALLET_ORIGIN, so that operators share no cookies and passkeys with users',
  ],
])('the configuration %j is refused', (variables, message) => {
  expect(() => read(variables)).toThrow(message)
})
