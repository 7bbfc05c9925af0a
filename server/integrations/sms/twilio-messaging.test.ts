/** Tests the client of Twilio Programmable Messaging against the sandbox. */
import { afterEach, describe, expect, test } from 'vitest'
import { newRegistry } from '../../kernel/registry.ts'
import { startSandbox } from '../../testing/sandbox.ts'
import { getMessaging, smsEnvironment } from './environment.ts'
import { createTwilioTexter } from './twilio.ts'

const account = `AC${'0'.repeat(32)}`
const key = `SK${'1'.repeat(32)}`
const service = `MG${'2'.repeat(32)}`
const verifyUrl = (user: string) =>
  `https://${user}:s%2Fcret@verify.twilio.com/v2/Services/VA${'3'.repeat(32)}`
const sandbox = await startSandbox()
afterEach(() => setFault('none'))

function read(environment: Readonly<Record<string, string>>) {
  const parts = newRegistry('a test')
  const lines = smsEnvironment.parse(environment, parts)
  return { lines, messaging: lines.length === 0 ? getMessaging({ parts }) : undefined }
}
function texterAt(origin: string) {
  const { messaging } = read({
    TWILIO_VERIFY_URL: verifyUrl(account),
    TWILIO_MESSAGING_SERVICE_SID: service,
    TWILIO_API_URL: origin,
  })
  if (!messaging) throw new Error('There is an account')
  return createTwilioTexter(messaging)
}
const texter = texterAt(sandbox)
const setFault = (twilio: string) =>
  fetch(`${sandbox}/api/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ twilio }),
  })

async function textTo(e164: string) {
  const query = new URLSearchParams({ to: e164, timeoutMs: '5000' })
  const { message } = await (await fetch(`${sandbox}/api/messages/next?${query}`)).json()
  return message.text
}

test('sends a text to a number unchanged', async () => {
  const text = 'تمت استعادة محفظتك: https://dialog.example/take-back/x'
  expect(await texter.send({ e164: '+14155550130', text })).toEqual({ type: 'sent' })
  expect(await textTo('+14155550130')).toBe(text)
})

test('truncates a text of more than 1,600 characters', async () => {
  expect(await texter.send({ e164: '+14155550131', text: 'a'.repeat(1_700) })).toEqual({ type: 'sent' })
  expect(await textTo('+14155550131')).toBe('a'.repeat(1_600))
})

test.each([
  ['blocked-region', { type: 'region' }],
  ['unsubscribed', { type: 'unsubscribed' }],
  ['too-many-requests', { type: 'too many' }],
  ['failing', { type: 'failed', why: 'status 500, code 20500' }],
  ['wrong-credentials', { type: 'failed', why: 'status 401, code 20003' }],
])('returns the refusal %s', async (fault, answer) => {
  await setFault(fault)
  expect(await texter.send({ e164: '+14155550132', text: 'Hello' })).toEqual(answer)
})

test('returns refusals for an invalid number and an unknown messaging service', async () => {
  expect(await texter.send({ e164: '+1', text: 'Hello' })).toEqual({ type: 'number' })
  const nobody = texterAt('http://127.0.0.1:1')
  expect(await nobody.send({ e164: '+14155550133', text: 'Hello' })).toMatchObject({ type: 'failed' })
})

describe('the environment', () => {
  const texts = { TWILIO_MESSAGING_SERVICE_SID: service }

  test('disables SMS texts without a messaging service', () => {
    expect(read({ TWILIO_VERIFY_URL: verifyUrl(account) })).toEqual({ lines: [], messaging: undefined })
  })

  test('uses the account of the codes, and sends its secret in a header', () => {
    expect(read({ TWILIO_VERIFY_URL: verifyUrl(account), ...texts }).messaging).toEqual({
      messagesUrl: `https://api.twilio.com/2010-04-01/Accounts/${account}/Messages.json`,
      authorization: `Basic ${btoa(`${account}:s/cret`)}`,
      service,
    })
  })

  test('requires TWILIO_ACCOUNT_SID if the codes are sent with an API key', () => {
    const byKey = { TWILIO_VERIFY_URL: verifyUrl(key), ...texts }
    expect(read(byKey).lines).toEqual([expect.stringMatching(/needs TWILIO_ACCOUNT_SID/)])
    expect(read({ ...byKey, TWILIO_ACCOUNT_SID: account }).messaging).toEqual({
      messagesUrl: `https://api.twilio.com/2010-04-01/Accounts/${account}/Messages.json`,
      authorization: `Basic ${btoa(`${key}:s/cret`)}`,
      service,
    })
  })

  test.each([
    ['no account at all', texts, /needs TWILIO_VERIFY_URL$/],
    ['a service that is none', { TWILIO_MESSAGING_SERVICE_SID: 'VA1' }, /^TWILIO_MESSAGING_SERVICE_SID must/],
    ['a path', { TWILIO_API_URL: 'https://api.twilio.com/2010' }, /^TWILIO_API_URL must/],
  ])('rejects the setting with %s and names the variable', (_what, environment, line) => {
    expect(read(environment).lines).toEqual([expect.stringMatching(line)])
  })
})
