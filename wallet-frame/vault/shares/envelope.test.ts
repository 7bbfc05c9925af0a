import { LatchkeyError } from '@latchkey/protocol'
import type { ShareContext } from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Envelope, openEnvelope, parseEnvelopeText, sealEnvelope } from './envelope.ts'

const context: ShareContext = {
  appId: 'a'.repeat(25),
  userId: 'user_1',
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 3,
  role: 'device',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}
const newKey = () =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
const secret = new Uint8Array([1, 2, 3, 4, 5])
const key = await newKey()
const sealed = await sealEnvelope(key, secret, context)

async function refusal(stored: unknown, about = context, with_ = key) {
  try {
    await openEnvelope(with_, stored, about)
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error
    return [error.code, (error.details as { reason: string }).reason].join(': ')
  }
  throw new Error('The envelope was opened')
}

const changedByte = (text: string, at: number, change: number) => {
  const bytes = base64urlnopad.decode(text)
  const index = at % bytes.length
  bytes[index] = (bytes[index] ?? 0) ^ change
  return base64urlnopad.encode(bytes)
}

describe('an envelope', () => {
  it('returns its content, for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const content = new Uint8Array(bytes)
        expect(await openEnvelope(key, await sealEnvelope(key, content, context), context)).toEqual(content)
      }),
    )
  })

  it('never uses a nonce twice', async () => {
    const nonces = await Promise.all(
      Array.from({ length: 100 }, async () => (await sealEnvelope(key, secret, context)).nonce),
    )
    expect(new Set(nonces).size).toBe(100)
  })

  it('does not open after a bit of its nonce or ciphertext changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('nonce', 'ct'),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (field, at, change) => {
          const tampered = { ...sealed, [field]: changedByte(sealed[field], at, change) }
          expect(await refusal(tampered)).toBe('envelope_refused: not_authentic')
        },
      ),
    )
  })

  it('does not open after it was cut anywhere', async () => {
    const whole = base64urlnopad.decode(sealed.ct)
    for (let length = 1; length < whole.length; length++) {
      const cut = { ...sealed, ct: base64urlnopad.encode(whole.slice(0, length)) }
      expect(await refusal(cut)).toBe(
        length <= 16 ? 'envelope_malformed: too_short' : 'envelope_refused: not_authentic',
      )
    }
  })

  it('does not open with a nonce of another length or in a non-canonical spelling', async () => {
    for (const nonce of [base64urlnopad.encode(new Uint8Array(11)), 'AB']) {
      expect(await refusal({ ...sealed, nonce })).toBe('envelope_malformed: bad_nonce')
    }
  })

  it.each([
    ['app', { appId: 'b'.repeat(25) }],
    ['user', { userId: 'user_2' }],
    ['wallet', { walletId: 'wallet_2' }],
    ['kind', { kind: 'imported-key' }],
    ['chain', { chain: 'solana' }],
    ['role', { role: 'auth' }],
    ['case of its address', { address: context.address.toLowerCase() }],
    ['address', { address: '0x52908400098527886E0F7030069857D2E4169EE7' }],
  ] as const)('of one %s does not open as that of another', async (_name, other) => {
    expect(await refusal(sealed, { ...context, ...other })).toBe('envelope_refused: not_authentic')
  })

  it('of one generation does not open as that of another, even with a changed label', async () => {
    expect(await refusal(sealed, { ...context, generation: 4 })).toBe('envelope_refused: wrong_generation')
    expect(await refusal({ ...sealed, gen: 4 }, { ...context, generation: 4 })).toBe(
      'envelope_refused: not_authentic',
    )
  })

  it('does not open with the ciphertext, nonce or key of another', async () => {
    const other = await sealEnvelope(key, new Uint8Array([9, 9, 9, 9, 9]), context)
    expect(await refusal({ ...sealed, ct: other.ct })).toBe('envelope_refused: not_authentic')
    expect(await refusal({ ...sealed, nonce: other.nonce })).toBe('envelope_refused: not_authentic')
    expect(await refusal(sealed, context, await newKey())).toBe('envelope_refused: not_authentic')
  })

  it('of an unknown version is refused by that name and left unchanged', async () => {
    const newer = Object.freeze({ v: 2, anything: Object.freeze(['else']) })
    const before = JSON.stringify(newer)
    expect(await refusal(newer)).toBe('envelope_unknown_version: unknown_version')
    expect(JSON.stringify(newer)).toBe(before)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'v1'],
    ['a list', [1]],
    ['a version that is a text', { ...sealed, v: '1' }],
    ['another algorithm', { ...sealed, alg: 'A128GCM' }],
    ['another derivation', { ...sealed, kdf: 'argon2id' }],
    ['parameters for a derivation that takes none', { ...sealed, params: { m: 1 } }],
    ['a generation that is no number', { ...sealed, gen: '3' }],
    ['generation zero', { ...sealed, gen: 0 }],
    ['a field too many', { ...sealed, extra: 1 }],
    ['a field too few', { ...sealed, nonce: undefined }],
    ['a ciphertext that is not base64url', { ...sealed, ct: 'a b' }],
    ['a ciphertext of a length that base64url has not', { ...sealed, ct: 'A' }],
    // 'AA' is one byte, and a lenient decoder would read 'AB' as the same one.
    ['a ciphertext in a second spelling', { ...sealed, ct: 'AB' }],
  ])('that is %s is malformed', async (_name, stored) => {
    expect(await refusal(stored)).toBe('envelope_malformed: malformed')
  })

  it('is parsed from JSON, and malformed for any other text', () => {
    expect(parseEnvelopeText(JSON.stringify(sealed))).toEqual(sealed)
    expect(() => parseEnvelopeText('not at all')).toThrow(
      expect.objectContaining({
        code: 'envelope_malformed',
        details: { reason: 'malformed' },
        cause: expect.any(SyntaxError),
      }),
    )
  })

  it('of any shape is opened or refused by name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (stored) => {
        expect(await refusal(stored)).toMatch(/^envelope_(malformed|refused|unknown_version): /)
      }),
    )
  })

  it('has its own parameters', () => {
    expect(sealed).toMatchObject({
      v: 1,
      alg: 'A256GCM',
      kdf: 'none',
      params: {},
      gen: 3,
    } satisfies Partial<Envelope>)
    expect(base64urlnopad.decode(sealed.nonce)).toHaveLength(12)
    expect(base64urlnopad.decode(sealed.ct)).toHaveLength(secret.length + 16)
  })
})
