/** Tests the client of Twilio Verify against the sandbox. */
import { afterEach, describe, expect, test } from 'vitest'
import { newRegistry } from '../../kernel/registry.ts'
import { startSandbox } from '../../testing/sandbox.ts'
import { smsEnvironment } from './environment.ts'
import { createTwilioVerifier } from './twilio.ts'
import type { SmsVerifier } from './verifier.ts'

const service = `/v2/Services/VA${'1'.repeat(32)}`
const sandbox = await startSandbox()
const verifier = verifierAt(sandbox.replace('http://', `http://AC${'0'.repeat(32)}:secret@`) + service)
afterEach(() => setFault('none'))

function verifierAt(url: string): SmsVerifier {
  const parts = newRegistry('a test')
  expect(smsEnvironment.parse({ TWILIO_VERIFY_URL: url }, parts)).toEqual([])
  const account = smsEnvironment.read({ parts }).TWILIO_VERIFY_URL
  if (account === undefined) throw new Error('There is an account')
  return createTwilioVerifier(account)
}
const setFault = (twilio: string) =>
  fetch(`${sandbox}/api/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ twilio }),
  })

const soon = () => AbortSignal.timeout(5_000)
const send = (e164: string, signal = soon()) => verifier.send({ e164, appName: 'Fieldnotes' }, signal)
const check = (verification: string, code: string) => verifier.check({ verification, code }, soon())
const sendTo = async (e164: string) => {
  const sending = await send(e164)
  if (sending.type !== 'sent') throw new Error(sending.type)
  const query = new URLSearchParams({ to: e164, timeoutMs: '5000' })
  const { message } = await (await fetch(`${sandbox}/api/messages/next?${query}`)).json()
  const code = /\b\d{6}\b/.exec(message.text)?.[0] ?? ''
  return { ...sending, code, wrong: code === '000000' ? '111111' : '000000', text: message.text }
}

test('sends a code under the app’s name, distinguishes right from wrong, and accepts it once', async () => {
  const { verification, code, wrong, text } = await sendTo('+14155550110')
  expect(text).toContain('Fieldnotes')
  expect(await check(verification, wrong)).toEqual({ type: 'wrong' })
  expect(await check(verification, code)).toEqual({ type: 'right' })
  expect(await check(verification, code)).toEqual({ type: 'gone' })
})

test('returns the same verification with the same code when sending to a number again', async () => {
  const first = await sendTo('+14155550111')
  expect(await sendTo('+14155550111')).toMatchObject({ verification: first.verification, code: first.code })
})

test('reports too many sends and too many checks', async () => {
  const { verification, code, wrong } = await sendTo('+14155550112')
  for (let sent = 1; sent < 5; sent += 1) await send('+14155550112')
  expect(await send('+14155550112')).toEqual({ type: 'too many' })
  for (let checks = 0; checks < 5; checks += 1) await check(verification, wrong)
  expect(await check(verification, code)).toEqual({ type: 'too many' })
})

test.each([
  ['blocked-region', { type: 'region' }],
  ['fraud', { type: 'region' }],
  ['unsubscribed', { type: 'unsubscribed' }],
  ['too-many-requests', { type: 'too many' }],
  ['failing', { type: 'failed', why: 'status 500, code 20500' }],
  ['wrong-credentials', { type: 'failed', why: 'status 401, code 20003' }],
])('returns the refusal %s', async (fault, answer) => {
  await setFault(fault)
  expect(await send('+14155550113')).toEqual(answer)
})

test('reports an invalid phone number', async () => {
  expect(await send('+1')).toEqual({ type: 'number' })
})

test('rejects if Twilio is unreachable or does not respond in time', async () => {
  await setFault('stall')
  await expect(send('+14155550114', AbortSignal.timeout(50))).rejects.toThrow()
  const nobody = verifierAt(`http://AC${'0'.repeat(32)}:secret@127.0.0.1:1${service}`)
  await expect(nobody.send({ e164: '+14155550114', appName: 'x' }, soon())).rejects.toThrow()
})

describe('the environment', () => {
  const parse = (url: string) => smsEnvironment.parse({ TWILIO_VERIFY_URL: url }, newRegistry('a test'))

  test.each([
    ['no secret', `https://AC${'0'.repeat(32)}@verify.twilio.com${service}`],
    ['no service', `https://AC${'0'.repeat(32)}:secret@verify.twilio.com`],
    ['an account that is none', `https://someone:secret@verify.twilio.com${service}`],
    ['another scheme', `ftp://AC${'0'.repeat(32)}:secret@verify.twilio.com${service}`],
  ])('rejects the URL with %s and names the variable', (_what, url) => {
    expect(parse(url)).toEqual([expect.stringMatching(/^TWILIO_VERIFY_URL must be https:/)])
  })

  test('disables SMS codes without a URL', () => {
    const parts = newRegistry('a test')
    expect(smsEnvironment.parse({}, parts)).toEqual([])
    expect(smsEnvironment.read({ parts }).TWILIO_VERIFY_URL).toBeUndefined()
  })

  test('sends the credentials in a header, not in the URL', () => {
    const parts = newRegistry('a test')
    const url = `https://SK${'a'.repeat(32)}:s%2Fcret@verify.twilio.com${service}`
    smsEnvironment.parse({ TWILIO_VERIFY_URL: url }, parts)
    expect(smsEnvironment.read({ parts }).TWILIO_VERIFY_URL).toEqual({
      serviceUrl: `https://verify.twilio.com${service}`,
      authorization: `Basic ${btoa(`SK${'a'.repeat(32)}:s/cret`)}`,
    })
  })
})
