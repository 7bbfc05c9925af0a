import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { newRegistry } from '../../kernel/registry.ts'
import { startTurnstile } from './testing/turnstile.ts'
import { captchaEnvironment } from './turnstile.ts'

const turnstile = await startTurnstile()
afterEach(() => turnstile.setFault('none'))

const appId = 'lktest0000000000000000001'
const dummy = 'XXXX.DUMMY.TOKEN.XXXX'
const check = (token: string, checkId: string = randomUUID(), verifier = turnstile.verifier) =>
  verifier.check({ token, appId, checkId }, AbortSignal.timeout(5_000))

describe('a token', () => {
  test('is good once, and again for the check that it was good for', async () => {
    const token = await turnstile.tokenFor({ cdata: appId })
    const first = randomUUID()
    expect(await check(token, first)).toEqual({ type: 'passed' })
    expect(await check(token, first)).toEqual({ type: 'passed' })
    expect(await check(token)).toEqual({ type: 'not passed' })
  })

  test.each([
    ['another page', { hostname: 'dialog.example', cdata: appId }],
    ['another purpose', { action: 'comment', cdata: appId }],
    ['another app', { cdata: 'lktest0000000000000000002' }],
  ])('of %s is not good', async (_of, asked) => {
    expect(await check(await turnstile.tokenFor(asked))).toEqual({ type: 'not passed' })
  })

  test.each([['made-up'], [dummy]])('that is %s is not good', async (token) => {
    expect(await check(token)).toEqual({ type: 'not passed' })
  })
})

// https://developers.cloudflare.com/turnstile/troubleshooting/testing/
test.each([
  ['1x0000000000000000000000000000000AA', 'passed'],
  ['2x0000000000000000000000000000000AA', 'not passed'],
  ['3x0000000000000000000000000000000AA', 'not passed'],
])('the secret for tests %s: %s', async (secret, type) => {
  expect(await check(dummy, undefined, turnstile.verifierWith(secret))).toEqual({ type })
})

describe('who validates', () => {
  test('and does not take the secret is for the operator to mend', async () => {
    await turnstile.setFault('wrong-secret')
    expect(await check(await turnstile.tokenFor({ cdata: appId }))).toEqual({
      type: 'failed',
      why: 'invalid-input-secret',
    })
  })

  test('and fails says nothing of the token, which is good afterwards', async () => {
    const token = await turnstile.tokenFor({ cdata: appId })
    await turnstile.setFault('failing')
    await expect(check(token)).rejects.toMatchObject({ code: 'unavailable' })
    await turnstile.setFault('none')
    expect(await check(token)).toEqual({ type: 'passed' })
  })
})

describe('the environment', () => {
  const parse = (environment: Record<string, string>) => {
    const parts = newRegistry('a test')
    const lines = captchaEnvironment.parse(environment, parts)
    return lines.length > 0 ? lines : captchaEnvironment.of({ parts })
  }

  test("names Cloudflare's address where it says nothing", () => {
    expect(parse({})).toEqual({ TURNSTILE_URL: 'https://challenges.cloudflare.com' })
    expect(parse({ TURNSTILE_SECRET_KEY: '0x4AAA' })).toMatchObject({ TURNSTILE_SECRET_KEY: '0x4AAA' })
  })

  test.each(['https://turnstile.example/', 'turnstile.example', "https://a.example 'unsafe-inline'"])(
    'takes no %j as an origin',
    (TURNSTILE_URL) => {
      expect(parse({ TURNSTILE_URL })).toEqual([expect.stringMatching(/^TURNSTILE_URL must be an origin/)])
    },
  )
})
