/** Verifies webhooks that the package standardwebhooks and WebCrypto sign. */
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { LatchkeyWebhookError } from './errors.ts'
import { verifyWebhook } from './verify.ts'

const nowMs = Date.UTC(2026, 10, 30)
const timestamp = String(nowMs / 1_000)
const id = 'msg_2kzHkDjwnm3ZpnFk5Q0Yw1Qc'
const body = JSON.stringify({
  type: 'user.created',
  timestamp: '2026-11-30T00:00:00.000Z',
  data: { app_id: 'app', user_id: 'usr_ada', sequence: 1, account_type: 'email', name: 'Zoë' },
})
const secret = `whsec_${btoa('a secret of thirty-two characters')}`
const otherSecret = `whsec_${btoa('another one, also of 32 characters')}`

const sign = (by = secret, text = body, at = nowMs) => new Webhook(by).sign(id, new Date(at), text)
type Delivery = { headers: Record<string, string | string[] | undefined>; body: string | Uint8Array }
const delivery = (signature = sign(), changes: Record<string, string> = {}, text = body): Delivery => ({
  headers: {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
    ...changes,
  },
  body: text,
})
const verify = (
  request: Parameters<typeof verifyWebhook>[0],
  secrets: string | string[] = secret,
  at = nowMs,
) => verifyWebhook(request, secrets, { nowMs: () => at })
const rejectsWith = (code: string) => ({ name: 'LatchkeyWebhookError', code, status: 400 })

test('returns the typed event of an authentic delivery', async () => {
  const event = await verify(delivery())
  expect(event).toEqual({ id, ...JSON.parse(body) })
  if (event.type === 'user.created') expect(event.data.account_type).toBe('email')
})

test.each([
  ['a Request', () => new Request('https://host.example', { method: 'POST', ...stringDelivery() })],
  ['a body of bytes', () => ({ ...delivery(), body: new TextEncoder().encode(body) })],
  ['Headers', () => ({ headers: new Headers(stringDelivery().headers), body })],
  ['a signature among those of other versions', () => delivery(`v2,abc v1a,abc ${sign()}`)],
  ['a signature among those of other secrets', () => delivery(`${sign(otherSecret)} ${sign()}`)],
])('accepts %s', async (_what, make) => {
  expect((await verify(make())).type).toBe('user.created')
})
const stringDelivery = () => ({ headers: delivery().headers as Record<string, string>, body })

test('accepts either secret of a rotation', async () => {
  expect((await verify(delivery(), [otherSecret, secret])).id).toBe(id)
  await expect(verify(delivery(), otherSecret)).rejects.toMatchObject(rejectsWith('invalid_signature'))
})

describe('with the public key', () => {
  const makeKey = async () => {
    const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair
    const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
    const signature = await crypto.subtle.sign(
      'Ed25519',
      pair.privateKey,
      new TextEncoder().encode(`${id}.${timestamp}.${body}`),
    )
    const encode = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
    return { publicKey: `whpk_${encode(raw)}`, signature: `v1a,${encode(new Uint8Array(signature))}` }
  }

  test('accepts its signature, and rejects that of another key', async () => {
    const [own, other] = await Promise.all([makeKey(), makeKey()])
    expect((await verify(delivery(`${sign()} ${own.signature}`), own.publicKey)).id).toBe(id)
    await expect(verify(delivery(other.signature), own.publicKey)).rejects.toMatchObject(
      rejectsWith('invalid_signature'),
    )
  })

  test('rejects an HMAC with the public key as its secret', async () => {
    const { publicKey } = await makeKey()
    const forged = sign(`whsec_${publicKey.slice(5)}`)
    await expect(verify(delivery(forged.replace('v1,', 'v1a,')), publicKey)).rejects.toMatchObject(
      rejectsWith('invalid_signature'),
    )
    await expect(verify(delivery(forged), publicKey)).rejects.toMatchObject(rejectsWith('invalid_signature'))
  })
})

describe('rejects', () => {
  test.each<[string, Delivery, string]>([
    ['a changed body', delivery(sign(), {}, body.replace('Zoë', 'Zoe')), 'invalid_signature'],
    ['another id', delivery(sign(), { 'webhook-id': 'msg_other' }), 'invalid_signature'],
    [
      'another timestamp',
      delivery(sign(), { 'webhook-timestamp': String(nowMs / 1_000 + 1) }),
      'invalid_signature',
    ],
    ['a signature that is cut', delivery(sign().slice(0, -4)), 'invalid_signature'],
    ['a signature that is no base64', delivery('v1,***'), 'invalid_signature'],
    ['a signature without its version', delivery(sign().slice(3)), 'invalid_signature'],
    [
      'no signature',
      { headers: { 'webhook-id': id, 'webhook-timestamp': timestamp }, body },
      'missing_header',
    ],
    ['an empty id', delivery(sign(), { 'webhook-id': '' }), 'missing_header'],
    ['a signature after twenty others', delivery(`${'v1,AAAA '.repeat(20)}${sign()}`), 'invalid_signature'],
    ['a body that is no JSON', delivery(sign(secret, 'no JSON'), {}, 'no JSON'), 'malformed_body'],
    ['a body without a type', delivery(sign(secret, '{"data":{}}'), {}, '{"data":{}}'), 'malformed_body'],
  ])('%s', async (_what, request, code) => {
    await expect(verify(request)).rejects.toMatchObject(rejectsWith(code))
  })

  test.each([
    [301_000, 'outside_tolerance'],
    [-301_000, 'outside_tolerance'],
  ])('a delivery whose clock is %i ms off', async (offMs, code) => {
    await expect(verify(delivery(), secret, nowMs + offMs)).rejects.toMatchObject(rejectsWith(code))
    expect((await verify(delivery(), secret, nowMs + Math.sign(offMs) * 300_000)).id).toBe(id)
  })

  test.each(['', 'whsec_', 'whsec_YQ==', 'sk_live', 'whpk_AAAA'])('the secret %j', async (text) => {
    await expect(verify(delivery(), text)).rejects.toThrow(TypeError)
  })

  test('an empty list of secrets', async () => {
    await expect(verify(delivery(), [])).rejects.toThrow(TypeError)
  })
})

test('an error becomes a response with its code', async () => {
  const response = new LatchkeyWebhookError('invalid_signature').toResponse()
  expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid_signature' }])
})
