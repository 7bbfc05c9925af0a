import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { confirmAs, openWindow } from '../pages/login-window.ts'
import { beginCall, call } from '../pages/page-calls.ts'
import { openHost } from '../pages/provider-window.ts'
import { appId } from '../stack/stack.ts'
import { test as base, expect } from '../test.ts'

/** The app offers the sandbox's OpenID provider. */
type Acme = { issuer: string; logoutUri: string }
const test = base.extend<object, { acme: Acme }>({
  acme: [
    async ({ stack }, use) => {
      const file = join(mkdtempSync(join(tmpdir(), 'acme-')), 'secret')
      writeFileSync(file, 'secret-of-acme')
      const issuer = `${stack.visitedSandboxUrl}/oauth/id.acme.example`
      const client = ['--client-id', 'client-of-acme', '--client-secret-file', file, '--name', 'Acme']
      const printed = await stack.app('oidc', appId, 'add', 'acme', '--issuer', issuer, ...client)
      await use({ issuer, logoutUri: /^logout +(\S+)$/m.exec(printed)?.[1] ?? '' })
      await stack.app('oidc', appId, 'remove', 'acme')
    },
    { scope: 'worker' },
  ],
})

type Account = { type: string; issuer: string; subject: string; name: string }
type LoggedIn = { user: { user: { linkedAccounts: Account[] }; loginMethod: string } }

test('logs in with an OpenID provider, and ends the session on a back-channel logout', async ({
  acme,
  context,
  host,
  page,
  somebody,
  stack,
}) => {
  await openHost({ context, host, page }, 'oidc:acme')
  const login = await beginCall<LoggedIn>(page, 'login')
  const provider = await openWindow(context, host.methodRow('Acme'))
  await confirmAs(provider, somebody)
  await expect(host.dialog.getByRole('heading', { name: 'Connected to Acme' })).toBeVisible()
  const { user: result } = await login()
  const account = result.user.linkedAccounts.find(({ type }) => type === 'oidc')
  expect(result.loginMethod).toBe('oidc:acme')
  expect(account).toMatchObject({ issuer: acme.issuer, name: somebody })

  const signed = await page.request.post(`${stack.sandboxUrl}/api/oauth/logout-tokens`, {
    data: { iss: acme.issuer, sub: account?.subject },
  })
  const { token } = await signed.json()
  const { pathname, host: dialogHost } = new URL(acme.logoutUri)
  const answer = await page.request.post(`http://127.0.0.1:${stack.serverPort}${pathname}`, {
    headers: { host: dialogHost },
    form: { logout_token: token },
  })
  expect(answer.status()).toBe(200)
  await host.openOneLine()
  expect(await call(page, 'getUser')).toBeNull()
})
