/** Checks `/api/me` of an example: it returns the user of a valid token and rejects all other tokens. */
import type { Page } from '@playwright/test'
import { expect } from './example.ts'

async function callMe(url: string, token?: string) {
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` }
  const response = await fetch(url, headers && { headers })
  return { status: response.status, body: (await response.json()) as unknown }
}

const encoded = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url')

/** Signs the same header and claims with another key. */
async function forge(token: string) {
  const signed = token.slice(0, token.lastIndexOf('.'))
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
  ])
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  return `${signed}.${encoded(await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(signed)))}`
}

const parseUserId = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub

/** Presses the button that calls the server, and repeats the call with other tokens. Returns the user id. */
export async function expectMe(page: Page, origin: string) {
  const request = page.waitForRequest('**/api/me')
  await page.getByRole('button', { name: 'Ask the server' }).click()
  const { authorization = '' } = await (await request).allHeaders()
  const token = authorization.replace(/^Bearer /, '')
  const userId = parseUserId(token)
  expect(userId).toMatch(/^\S{8,}$/)
  await expect(page.getByRole('status')).toHaveText(String(userId))

  const url = `${origin}/api/me`
  expect(await callMe(url, token)).toEqual({ status: 200, body: { userId } })
  expect(await callMe(url)).toMatchObject({ status: 401, body: { code: 'missing_token' } })
  expect(await callMe(url, await forge(token))).toMatchObject({
    status: 401,
    body: { code: 'invalid_signature' },
  })
  return userId
}
