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
const service = `MG${'1'.repeat(32)}`
const right = { To: '+14155550120', MessagingServiceSid: service, Body: 'Hello' }
async function send(form: Record<string, string>, user: string | undefined = account) {
  const response = await fetch(url(`/2010-04-01/Accounts/${account}/Messages.json`), {
    method: 'POST',
    headers: user === '' ? {} : { authorization: `Basic ${btoa(`${user}:secret`)}` },
    body: new URLSearchParams(form),
  })
  return { status: response.status, body: await response.json() }
}

test('a number receives the text of an account or its API key', async () => {
  for (const user of [account, `SK${'2'.repeat(32)}`]) {
    expect(await send(right, user)).toMatchObject({
      status: 201,
      body: { account_sid: account, to: '+14155550120', body: 'Hello', status: 'accepted' },
    })
  }
  const answer = await fetch(url(`/api/messages?${new URLSearchParams({ to: '+14155550120' })}`))
  const { messages } = await answer.json()
  expect(messages.map(({ text }: { text: string }) => text)).toEqual(['Hello', 'Hello'])
})

test.each([
  ['an invalid number', { To: '12' }, 21211],
  ['an empty text', { Body: '' }, 21619],
  ['more than 1,600 characters', { Body: 'a'.repeat(1_601) }, 21617],
  ['no sender', { MessagingServiceSid: '' }, 21603],
])('rejects %s with its error code', async (_name, change, code) => {
  expect(await send({ ...right, ...change })).toMatchObject({ status: 400, body: { code } })
})

test.each(['', `AC${'9'.repeat(32)}`])('the account "%s" cannot send for another', async (user) => {
  expect(await send(right, user)).toMatchObject({ status: 401, body: { code: 20003 } })
})

test.each([
  ['failing', 500, 20500],
  ['blocked-region', 400, 21408],
  ['unsubscribed', 400, 21610],
])('the fault %s responds with %d and code %d', async (fault, status, code) => {
  await setFault(fault)
  expect(await send(right)).toMatchObject({ status, body: { code } })
})
