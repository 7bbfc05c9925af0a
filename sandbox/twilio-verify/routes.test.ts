import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 'off' })
})
afterAll(() => sandbox.stop())
afterEach(() => setFault('none'))

const url = (path: string) => `http://127.0.0.1:${new URL(sandbox.httpUrl).port}${path}`
const setFault = (twilio: string) =>
  fetch(url('/api/faults'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ twilio }),
  })

const account = `AC${'0'.repeat(32)}`
const service = `VA${'1'.repeat(32)}`
const call = async (path: string, form: Record<string, string>, secret: string | undefined = 'secret') => {
  const response = await fetch(url(`/v2/Services/${service}/${path}`), {
    method: 'POST',
    headers: secret === '' ? {} : { authorization: `Basic ${btoa(`${account}:${secret}`)}` },
    body: new URLSearchParams(form),
  })
  return { status: response.status, body: await response.json() }
}
const send = (To: string) => call('Verifications', { To, Channel: 'sms', CustomFriendlyName: 'Fieldnotes' })
const codeFor = async (to: string) => {
  const answer = await fetch(url(`/api/messages/next?${new URLSearchParams({ to, timeoutMs: '5000' })}`))
  const { message } = await answer.json()
  expect(message.text).toContain('Fieldnotes')
  return /\b\d{6}\b/.exec(message.text)?.[0] ?? ''
}

test('a number receives a message with a code, which is approved', async () => {
  const to = '+14155550101'
  const sent = await send(to)
  expect(sent).toMatchObject({
    status: 201,
    body: { account_sid: account, service_sid: service, to, channel: 'sms', status: 'pending', valid: false },
  })
  const code = await codeFor(to)
  const sid = sent.body.sid
  const wrong = code === '000000' ? '111111' : '000000'
  expect(await call('VerificationCheck', { VerificationSid: sid, Code: wrong })).toMatchObject({
    status: 200,
    body: { status: 'pending', valid: false },
  })
  expect(await call('VerificationCheck', { VerificationSid: sid, Code: code })).toMatchObject({
    status: 200,
    body: { sid, status: 'approved', valid: true },
  })
  expect(await call('VerificationCheck', { VerificationSid: sid, Code: code })).toMatchObject({
    status: 404,
    body: { code: 20404, status: 404 },
  })
})

test('limits and invalid parameters have the documented error codes', async () => {
  const to = '+14155550102'
  expect(await send('12')).toMatchObject({ status: 400, body: { code: 60200 } })
  expect(await call('Verifications', { To: to })).toMatchObject({ status: 400, body: { code: 60200 } })
  expect(await call('VerificationCheck', { To: to })).toMatchObject({ status: 400, body: { code: 60200 } })
  for (let sent = 0; sent < 5; sent += 1) await send(to)
  expect(await send(to)).toMatchObject({ status: 429, body: { code: 60203 } })
  const code = await codeFor(to)
  const wrong = code === '000000' ? '111111' : '000000'
  for (let checks = 0; checks < 5; checks += 1) await call('VerificationCheck', { To: to, Code: wrong })
  expect(await call('VerificationCheck', { To: to, Code: code })).toMatchObject({
    status: 429,
    body: { code: 60202 },
  })
})

test('rejects a call without an account', async () => {
  expect(await call('Verifications', { To: '+14155550103', Channel: 'sms' }, '')).toMatchObject({
    status: 401,
    body: { code: 20003 },
  })
})

test.each([
  ['failing', 500, 20500],
  ['wrong-credentials', 401, 20003],
  ['too-many-requests', 429, 20429],
  ['blocked-region', 403, 60605],
  ['fraud', 403, 60410],
  ['unsubscribed', 400, 21610],
])('the fault %s responds with %d and code %d', async (fault, status, code) => {
  expect((await setFault(fault)).status).toBe(200)
  expect(await send('+14155550104')).toMatchObject({ status, body: { code } })
})

test('an unknown fault is rejected, and mail and SMS fail independently', async () => {
  expect((await setFault('tired')).status).toBe(400)
  await setFault('failing')
  expect(await (await fetch(url('/api/faults'))).json()).toMatchObject({ smtp: 'none', twilio: 'failing' })
})
