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
  test('a token passes once, and again with the same check id', async () => {
    const token = await turnstile.createToken({ cdata: appId })
    const first = randomUUID()
    expect(await check(token, first)).toEqual({ type: 'passed' })
    expect(await check(token, first)).toEqual({ type: 'passed' })
    expect(await check(token)).toEqual({ type: 'not-passed' })
  })

  test.each([
    ['another page', { hostname: 'dialog.example', cdata: appId }],
    ['another purpose', { action: 'comment', cdata: appId }],
    ['another app', { cdata: 'lktest0000000000000000002' }],
  ])('a token of %s does not pass', async (_of, asked) => {
    expect(await check(await turnstile.createToken(asked))).toEqual({ type: 'not-passed' })
  })

  test.each([['made-up'], [dummy]])('the token %s does not pass', async (token) => {
    expect(await check(token)).toEqual({ type: 'not-passed' })
  })
})

// https://developers.cloudflare.com/turnstile/troubleshooting/testing/
test.each([
  ['1x0000000000000000000000000000000AA', 'passed'],
  ['2x0000000000000000000000000000000AA', 'not-passed'],
  ['3x0000000000000000000000000000000AA', 'not-passed'],
])('the test secret %s: %s', async (secret, type) => {
  expect(await check(dummy, undefined, turnstile.verifierWith(secret))).toEqual({ type })
})

describe('a Turnstile server', () => {
  test('reports a rejected secret as a failure for the operator', async () => {
    await turnstile.setFault('wrong-secret')
    expect(await check(await turnstile.createToken({ cdata: appId }))).toEqual({
      type: 'failed',
      why: 'invalid-input-secret',
    })
  })

  test('leaves the token usable after an internal error of Turnstile', async () => {
    const token = await turnstile.createToken({ cdata: appId })
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
    return lines.length > 0 ? lines : captchaEnvironment.read({ parts })
  }

  test("uses Cloudflare's origin by default", () => {
    expect(parse({})).toEqual({ TURNSTILE_URL: 'https://challenges.cloudflare.com' })
    expect(parse({ TURNSTILE_SECRET_KEY: '0x4AAA' })).toMatchObject({ TURNSTILE_SECRET_KEY: '0x4AAA' })
  })

  test.each(['https://turnstile.example/', 'turnstile.example', "https://a.example 'unsafe-inline'"])(
    'rejects %j as an origin',
    (TURNSTILE_URL) => {
      expect(parse({ TURNSTILE_URL })).toEqual([expect.stringMatching(/^TURNSTILE_URL must be an origin/)])
    },
  )
})
