import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'
import { createTokens } from './tokens.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 'off' })
})
afterAll(() => sandbox.stop())
afterEach(() => setFaults({ turnstile: 'none', turnstileWidget: 'none' }))

const url = (path: string) => `http://127.0.0.1:${new URL(sandbox.httpUrl).port}${path}`
const post = async (path: string, body: object) => {
  const response = await fetch(url(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}
const setFaults = (faults: object) => post('/api/faults', faults)
const request = { sitekey: '0x4AAA', hostname: 'dialog.example', action: 'login', cdata: 'app' }
const challenge = (more: object = {}) => post('/turnstile/challenge', { ...request, ...more })
const verify = (more: object) => post('/turnstile/v0/siteverify', { secret: '0x4AAAsecret', ...more })

describe('siteverify', () => {
  test('accepts a token once, with the values of its challenge', async () => {
    const { outcome, token } = await challenge()
    expect(outcome).toBe('passed')
    expect(await verify({ response: token })).toMatchObject({
      success: true,
      hostname: 'dialog.example',
      action: 'login',
      cdata: 'app',
      challenge_ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    expect(await verify({ response: token })).toMatchObject({
      success: false,
      'error-codes': ['timeout-or-duplicate'],
    })
  })

  test('repeats its response under one idempotency key, and accepts a form', async () => {
    const { token } = await challenge()
    const validate = async (key: string) => {
      const body = new URLSearchParams({ secret: '0x4AAAsecret', response: token, idempotency_key: key })
      return (await (await fetch(url('/turnstile/v0/siteverify'), { method: 'POST', body })).json()).success
    }
    expect(await validate('one')).toBe(true)
    expect(await validate('one')).toBe(true)
    expect(await validate('two')).toBe(false)
  })

  test.each([
    [{}, 'missing-input-response'],
    [{ response: 'made-up' }, 'invalid-input-response'],
    [{ secret: 'mine', response: 'made-up' }, 'invalid-input-secret'],
    [{ secret: 1, response: 'made-up' }, 'missing-input-secret'],
    [{ secret: '2x0000000000000000000000000000000AA', response: 'any' }, 'invalid-input-response'],
    [{ secret: '3x0000000000000000000000000000000AA', response: 'any' }, 'timeout-or-duplicate'],
  ])('responds to %j with %s', async (body, code) => {
    expect(await verify(body)).toMatchObject({ success: false, 'error-codes': [code] })
  })

  test.each([
    ['failing', 'internal-error'],
    ['wrong-secret', 'invalid-input-secret'],
    ['spent', 'timeout-or-duplicate'],
  ])('with the fault %s responds with %s', async (turnstile, code) => {
    await setFaults({ turnstile })
    const { token } = await challenge()
    expect(await verify({ response: token })).toMatchObject({ success: false, 'error-codes': [code] })
  })
})

// https://developers.cloudflare.com/turnstile/troubleshooting/testing/
test.each([
  ['1x00000000000000000000AA', { outcome: 'passed', token: 'XXXX.DUMMY.TOKEN.XXXX' }],
  ['1x00000000000000000000BB', { outcome: 'passed', token: 'XXXX.DUMMY.TOKEN.XXXX' }],
  ['2x00000000000000000000AB', { outcome: 'failed' }],
  ['2x00000000000000000000BB', { outcome: 'failed' }],
  ['3x00000000000000000000FF', { outcome: 'interactive' }],
])('the test site key %s has its documented outcome', async (sitekey, answer) => {
  expect(await challenge({ sitekey })).toMatchObject(answer)
})

test('the dummy token is valid only with the test secret', async () => {
  const response = 'XXXX.DUMMY.TOKEN.XXXX'
  expect(await verify({ secret: '1x0000000000000000000000000000000AA', response })).toMatchObject({
    success: true,
    metadata: { result_with_testing_key: true },
  })
  expect(await verify({ response })).toMatchObject({ 'error-codes': ['invalid-input-response'] })
})

test('the widget fails, requires a press, or serves no script, as configured', async () => {
  await setFaults({ turnstileWidget: 'fails' })
  expect(await challenge()).toMatchObject({ outcome: 'failed' })
  await setFaults({ turnstileWidget: 'interactive' })
  expect(await challenge()).toEqual({ outcome: 'interactive' })
  expect(await challenge({ pressed: 'yes' })).toMatchObject({ outcome: 'passed' })
  const script = () => fetch(url('/turnstile/v0/api.js?render=explicit'))
  expect((await script()).status).toBe(200)
  await setFaults({ turnstileWidget: 'blocked' })
  expect((await script()).status).toBe(404)
})

test('a token is rejected after five minutes', () => {
  let nowMs = 0
  const tokens = createTokens({ now: () => nowMs })
  const [kept, late] = [tokens.issue(request), tokens.issue(request)]
  nowMs = 300_000
  expect(tokens.validate(kept, undefined).type).toBe('valid')
  nowMs += 1
  expect(tokens.validate(late, undefined).type).toBe('expired-or-used')
})
