/** Verifies webhooks by Standard Webhooks, with WebCrypto, so on every runtime. */
import { LatchkeyWebhookError } from './errors.ts'
import type { WebhookPayloads } from './events.ts'

/** An event. Later releases may send other types: ignore those. */
export type WebhookEvent = {
  [Type in keyof WebhookPayloads]: {
    /** The `webhook-id`. Repeated deliveries of one event have the same. */
    id: string
    type: Type
    /** The time of the change, in ISO 8601. */
    timestamp: string
    data: WebhookPayloads[Type]
  }
}[keyof WebhookPayloads]

/** A request, or the parts of one for frameworks that have read the body already. */
export type WebhookRequest =
  | Pick<Request, 'headers' | 'text'>
  | {
      headers: Pick<Headers, 'get'> | Readonly<Record<string, string | string[] | undefined>>
      /** The unchanged body. */
      body: string | Uint8Array
    }

export type WebhookOptions = {
  /** Replaces the clock, for a test. */
  nowMs?: () => number
}

const webhookLimits = {
  /** Older deliveries may be replayed by an attacker. */
  toleranceSeconds: 5 * 60,
  /** Two signatures for each of the few secrets of a rotation. */
  signatures: 20,
} as const

/**
 * Verifies a webhook and returns its event. Pass the secret (`whsec_…`), or the public key (`whpk_…`). During a rotation
 * pass both secrets, in any order. Rejects with a `LatchkeyWebhookError`.
 */
export async function verifyWebhook(
  request: WebhookRequest,
  secrets: string | string[],
  options?: WebhookOptions,
): Promise<WebhookEvent> {
  return (await verifySigned(request, secrets, options)) as WebhookEvent
}

/** Verifies a request by Standard Webhooks. Returns its id and its parsed body. */
export async function verifySigned(
  request: WebhookRequest,
  secrets: string | string[],
  { nowMs = Date.now }: WebhookOptions = {},
): Promise<{ id: string; type: string; timestamp: string; data: object }> {
  const keys = await Promise.all((typeof secrets === 'string' ? [secrets] : secrets).map(importKey))
  if (keys.length === 0) throw new TypeError('verifyWebhook requires a secret')
  const id = readHeader(request, 'webhook-id')
  const timestamp = readHeader(request, 'webhook-timestamp')
  const signatures = readHeader(request, 'webhook-signature').split(' ').slice(0, webhookLimits.signatures)
  const bytes = await readBody(request)
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  if (!(await isAnySigned(keys, signatures, signed))) throw new LatchkeyWebhookError('invalid_signature')
  // After the signature, so that the error cannot be provoked without the secret.
  const ageSeconds = /^\d{1,12}$/.test(timestamp) ? Math.abs(nowMs() / 1_000 - Number(timestamp)) : Infinity
  if (ageSeconds > webhookLimits.toleranceSeconds) throw new LatchkeyWebhookError('outside_tolerance')
  const event = parseEvent(new TextDecoder().decode(bytes))
  return { id, ...event }
}

function readHeader({ headers }: WebhookRequest, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : Reflect.get(headers, name)
  if (typeof value !== 'string' || value === '') throw new LatchkeyWebhookError('missing_header')
  return value
}

async function readBody(request: WebhookRequest): Promise<Uint8Array> {
  const body = 'text' in request ? await request.text() : request.body
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

type VerificationKey = { version: 'v1' | 'v1a'; algorithm: 'HMAC' | 'Ed25519'; key: CryptoKey }

async function importKey(text: string): Promise<VerificationKey> {
  const [, kind = '', encoded = ''] = /^(whsec|whpk)_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  const bytes = decodeBase64(encoded)
  if (kind === 'whsec' && bytes !== undefined && bytes.length >= 16) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    return {
      version: 'v1',
      algorithm: 'HMAC',
      key: await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']),
    }
  }
  if (kind === 'whpk' && bytes?.length === 32) {
    return {
      version: 'v1a',
      algorithm: 'Ed25519',
      key: await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']),
    }
  }
  throw new TypeError('verifyWebhook requires a secret (whsec_…) or a public key (whpk_…) of a webhook')
}

/** `verify` compares in constant time. */
async function isAnySigned(
  keys: VerificationKey[],
  signatures: string[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  for (const { version, algorithm, key } of keys) {
    for (const each of signatures) {
      const bytes = each.startsWith(`${version},`) ? decodeBase64(each.slice(version.length + 1)) : undefined
      if (bytes && (await crypto.subtle.verify(algorithm, key, bytes, signed))) return true
    }
  }
  return false
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function parseEvent(text: string): { type: string; timestamp: string; data: object } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new LatchkeyWebhookError('malformed_body', cause)
  }
  const { type, timestamp, data } = Object(value)
  const isEvent = typeof type === 'string' && typeof timestamp === 'string' && typeof data === 'object'
  if (!isEvent || data === null) throw new LatchkeyWebhookError('malformed_body')
  return { type, timestamp, data }
}
