import type { Page } from '@playwright/test'
import { expect, test } from './example.ts'
import { expectMe } from './me.ts'
import { logIn, logOut } from './visitor.ts'

/** Requests a page of the server with a cookie, without a browser. */
const fetchAccount = async (origin: string, session?: string) => {
  const headers = session === undefined ? {} : { cookie: `session=${session}` }
  return (await fetch(`${origin}/account`, { headers })).text()
}

/** Checks that the server renders the user of its own cookie, and rejects a changed one. */
async function expectSession(page: Page, origin: string, userId: string) {
  await page.goto(`${origin}/account`)
  await expect(page.locator('#server')).toHaveText(`The server knows ${userId}`)
  const cookie = (await page.context().cookies(origin)).find(({ name }) => name === 'session')
  expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax' })

  const session = cookie?.value ?? ''
  const [payload = '', signature] = session.split('.')
  const other = Buffer.from(payload, 'base64url').toString().replace(userId, 'other')
  const forged = `${Buffer.from(other).toString('base64url')}.${signature}`
  expect(await fetchAccount(origin, session)).toContain(userId)
  expect(await fetchAccount(origin, forged)).toContain('The server knows no user')
  expect(await fetchAccount(origin)).toContain('The server knows no user')
}

test('the Next example builds, logs in, returns the user from its route and its pages, and logs out', async ({
  client,
  example,
  inbox,
  page,
}) => {
  const env = { ...example.settings('NEXT_PUBLIC_'), SESSION_SECRET: 'a secret of the tests, 32 characters' }
  await example.run('next', 'build', env)
  const script = 'node_modules/next/dist/bin/next'
  const origin = await example.start({ name: 'next', script, args: ['start'], env })
  await page.goto(origin)
  await logIn(client, inbox)
  const userId = await expectMe(page, origin)
  await expectSession(page, origin, String(userId))
  await logOut(client, inbox)
  await expect(page.locator('#server')).toHaveText('The server knows no user')
})
