/** The dashboard in a real browser: its policy, its cookies, and passkeys. `dashboard/` tests its screens. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { confirmAs } from '../pages/login-window.ts'
import { addDevice } from '../pages/passkey-device.ts'
import { expect, test } from '../test.ts'

/** Collects what the content security policy blocked, and errors of scripts. */
function collectProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (/Content.Security.Policy|TrustedHTML/i.test(message.text())) problems.push(message.text())
  })
  return problems
}

async function expectAccessible(page: Page, screen: string) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${screen}: ${id} at ${nodes[0]?.target.join(' ')}`)).toEqual([])
}

test('an invited operator finds a user, ends the session, deletes the user, and the audit log shows it', async ({
  browser,
  host,
  inbox,
  stack,
}) => {
  await host.open()
  await host.logIn(inbox)
  const link = await stack.inviteOperator('ada@operator.example')

  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const problems = collectProblems(page)
  const device = await addDevice(page)
  await page.goto(link)
  await page.getByRole('button', { name: 'Register a passkey' }).click()
  await expect(page.getByRole('heading', { name: 'Your passkeys' })).toBeVisible()
  expect(await device.passkeys()).toBe(1)

  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('was used or has expired')
  await page.goto(new URL('/', link).href)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()

  await page.getByLabel('Value').fill(inbox.address.slice(0, 8))
  await page.getByRole('button', { name: 'Search' }).click()
  await expectAccessible(page, 'users')
  await page.getByRole('link', { name: inbox.address }).click()
  const sessions = page.getByRole('table', { name: 'Sessions' })
  await sessions.getByRole('button', { name: 'End' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await expect(page.getByText('This user is logged in nowhere')).toBeVisible()
  await expectAccessible(page, 'user')

  await page.getByRole('button', { name: 'Delete' }).click()
  await device.setVerifiesUser(false)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click()
  await expect(page.getByRole('alert')).toContainText('No passkey was used')
  await device.setVerifiesUser(true)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()

  await page.getByRole('link', { name: 'Audit log' }).click()
  for (const call of ['endSession', 'deleteUser']) {
    const entry = page.getByRole('row').filter({ hasText: call }).filter({ hasText: 'ok' })
    await expect(entry).toContainText('ada@operator.example')
  }
  expect(problems).toEqual([])
  await context.close()
})

test('an operator signs in at the OpenID provider, and registers a passkey for destructive calls', async ({
  browser,
  somebody,
  stack,
}) => {
  const file = join(mkdtempSync(join(tmpdir(), 'operators-')), 'secret')
  writeFileSync(file, 'secret-of-acme')
  const issuer = `${stack.visitedSandboxUrl}/oauth/id.acme.example`
  const client = ['--client-id', 'client-of-acme', '--client-secret-file', file, '--name', 'Acme']
  const printed = await stack.operator(
    'oidc',
    'set',
    '--issuer',
    issuer,
    ...client,
    '--group',
    'everyone=owner',
  )
  const redirectUri = /^redirect +(\S+)$/m.exec(printed)?.[1] ?? ''

  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const problems = collectProblems(page)
  const device = await addDevice(page)
  await page.goto(new URL('/', redirectUri).href)
  await page.getByRole('button', { name: 'Sign in with Acme' }).click()
  await confirmAs(page, somebody)
  await page.getByRole('link', { name: 'Your passkeys' }).click()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('table', { name: 'Passkeys' })).toBeVisible()
  expect(await device.passkeys()).toBe(1)

  await page.getByRole('link', { name: 'Operators and keys' }).click()
  const names = page.getByRole('table', { name: 'Operators' })
  await expect(names.getByRole('row').filter({ hasText: 'OpenID provider' })).toHaveCount(1)
  expect(problems).toEqual([])
  await stack.operator('oidc', 'remove')
  await context.close()
})
