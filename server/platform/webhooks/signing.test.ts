import { createPublicKey, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createEmbeddedKms } from '../../kernel/keys/kms.ts'
import { newMasterKey } from '../../kernel/keys/master-key.ts'
import { createSecret, formatSecret, openSecret, signDelivery } from './signing.ts'

const masterKey = newMasterKey()
const kms = createEmbeddedKms(() => [masterKey])
const body = JSON.stringify({ type: 'user.created', data: { name: 'Zoë' } })
const newSecret = async () => openSecret(kms, await createSecret(kms, 'app', 'whk_1'))

function toHeaders(secrets: Awaited<ReturnType<typeof newSecret>>[], changes = {}) {
  const timestamp = Math.floor(Date.now() / 1_000)
  return signDelivery(secrets, { id: 'msg_1', timestamp, body, ...changes })
}

test('signs the published vector of Standard Webhooks', async () => {
  const { privateKey } = await newSecret()
  const hmacKey = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
  const signed = signDelivery([{ hmacKey, privateKey }], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  })
  expect(signed['webhook-signature']).toMatch(/^v1,g0hM9SsE\+OTPJTGt\/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,/)
})

test('the package standardwebhooks verifies a delivery, and rejects changed ones', async () => {
  const secret = await newSecret()
  const receiver = new Webhook(formatSecret(secret).secret)
  expect(receiver.verify(body, toHeaders([secret]))).toEqual(JSON.parse(body))
  const old = Math.floor(Date.now() / 1_000) - 301
  expect(() => receiver.verify(body.replace('Zoë', 'Zoe'), toHeaders([secret]))).toThrow()
  expect(() => receiver.verify(body, { ...toHeaders([secret]), 'webhook-id': 'msg_2' })).toThrow()
  expect(() => receiver.verify(body, toHeaders([secret], { timestamp: old }))).toThrow('too old')
})

test('during a rotation a receiver with either secret accepts a delivery', async () => {
  const [current, earlier, other] = await Promise.all([newSecret(), newSecret(), newSecret()])
  const headers = toHeaders([current, earlier])
  for (const each of [current, earlier]) new Webhook(formatSecret(each).secret).verify(body, headers)
  expect(() => new Webhook(formatSecret(other).secret).verify(body, headers)).toThrow()
})

test('the public key verifies the ed25519 signature', async () => {
  const secret = await newSecret()
  const { publicKey } = formatSecret(secret)
  const headers = toHeaders([secret])
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const [, signature = ''] = /v1a,(\S+)/.exec(headers['webhook-signature'] ?? '') ?? []
  const spki = Buffer.from(
    `302a300506032b6570032100${Buffer.from(publicKey.slice(5), 'base64').toString('hex')}`,
    'hex',
  )
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
  expect(verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64'))).toBe(true)
  expect(verify(null, Buffer.from(`${signed} `), key, Buffer.from(signature, 'base64'))).toBe(false)
})

test('a secret opens only for its own webhook', async () => {
  const row = await createSecret(kms, 'app', 'whk_1')
  const again = [await openSecret(kms, row), await openSecret(kms, row)].map(formatSecret)
  expect(again[0]).toEqual(again[1])
  expect(again[0]?.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  await expect(openSecret(kms, { ...row, webhook_id: 'whk_2' })).rejects.toThrow()
  await expect(openSecret(kms, { ...row, app_id: 'other' })).rejects.toThrow()
  const { secret } = again[0] ?? { secret: '' }
  expect(row.wrapped).not.toContain(secret.slice(6))
})
