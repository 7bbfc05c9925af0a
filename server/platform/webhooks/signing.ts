/**
 * Secrets of webhooks, and signatures by Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). A stored secret holds the
 * key of the HMAC (`v1`) and the seed of an ed25519 key (`v1a`). Each webhook has its own keys, so that a receiver
 * cannot pass a delivery on to the receiver of another app.
 */
import { createHmac, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { WebhookSecretRow } from '../../identity/outbox/outbox.ts'
import { createEd25519Key, getEd25519PublicKey } from '../../kernel/ed25519.ts'
import { randomId } from '../../kernel/ids.ts'
import type { Kms } from '../../kernel/ports.ts'

const keyBytes = 32

export type NewSecret = Pick<WebhookSecretRow, 'id' | 'app_id' | 'webhook_id' | 'wrapped'>

const getContext = ({ app_id: appId, webhook_id: webhookId, id }: Omit<NewSecret, 'wrapped'>) =>
  new TextEncoder().encode([appId, webhookId, id].join('.'))

export async function createSecret(kms: Kms, appId: string, webhookId: string): Promise<NewSecret> {
  const owner = { id: randomId(), app_id: appId, webhook_id: webhookId }
  const bytes = randomBytes(2 * keyBytes)
  try {
    return { ...owner, wrapped: await kms.wrap('webhook-secret', bytes, getContext(owner)) }
  } finally {
    bytes.fill(0)
  }
}

export type SigningSecret = { hmacKey: Buffer; privateKey: KeyObject }

export async function openSecret(kms: Kms, row: NewSecret): Promise<SigningSecret> {
  const bytes = Buffer.from(await kms.unwrap('webhook-secret', row.wrapped, getContext(row)))
  try {
    return {
      hmacKey: Buffer.from(bytes.subarray(0, keyBytes)),
      privateKey: createEd25519Key(bytes.subarray(keyBytes)),
    }
  } finally {
    bytes.fill(0)
  }
}

/** Returns the texts that a receiver verifies with. */
export const formatSecret = ({ hmacKey, privateKey }: SigningSecret) => ({
  secret: `whsec_${hmacKey.toString('base64')}`,
  publicKey: `whpk_${getEd25519PublicKey(privateKey).toString('base64')}`,
})

/** Returns the headers that sign the body, with both signatures of each secret. */
export function signDelivery(
  secrets: SigningSecret[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): Record<string, string> {
  const signed = Buffer.from(`${id}.${timestamp}.${body}`)
  const signatures = secrets.flatMap(({ hmacKey, privateKey }) => [
    `v1,${createHmac('sha256', hmacKey).update(signed).digest('base64')}`,
    `v1a,${sign(null, signed, privateKey).toString('base64')}`,
  ])
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
