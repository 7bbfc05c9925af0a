/**
 * The envelope of a recovery share under the key of a passkey, and its refusals after each kind of change.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { ShareContext } from '@latchkey/protocol/wallet'
import { base64urlnopad } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openEnvelope, sealUnderPasskey } from '../shares/envelope.ts'
import { derivePasskeyKey } from './passkey.ts'

const context: ShareContext = {
  appId: 'a'.repeat(25),
  userId: 'user_1',
  walletId: 'wallet_1',
  kind: 'entropy',
  chain: 'ethereum',
  generation: 3,
  role: 'recovery',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}
const given = () => Uint8Array.from({ length: 32 }, (_, at) => at + 1)
const keyOf = (bytes: Uint8Array<ArrayBuffer>, about = context) =>
  derivePasskeyKey(Promise.resolve(bytes), about)
const share = Uint8Array.from({ length: 40 }, (_, at) => 200 - at)
const key = await keyOf(given())
const sealed = await sealUnderPasskey(key, share, context)

async function refusal(stored: unknown, about = context, by = key) {
  try {
    await openEnvelope(by, stored, about)
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error
    return [error.code, Object(error.details).reason].join(': ')
  }
  throw new Error('The envelope was opened')
}
const notAuthentic = 'envelope_refused: not_authentic'

const flipped = (bytes: Uint8Array, at: number, change: number) =>
  Uint8Array.from(bytes, (byte, index) => (index === at % bytes.length ? byte ^ change : byte))
const anyChange = [fc.nat(), fc.integer({ min: 1, max: 255 })] as const

/** A changed value for each field of the associated data. */
const others = [
  ['app', { appId: 'b'.repeat(25) }],
  ['user', { userId: 'user_2' }],
  ['wallet', { walletId: 'wallet_2' }],
  ['kind', { kind: 'imported-key' }],
  ['chain', { chain: 'solana' }],
  ['role', { role: 'device' }],
  ['address', { address: '0x52908400098527886E0F7030069857D2E4169EE7' }],
  ['case of its address', { address: context.address.toLowerCase() }],
  ['generation', { generation: 4 }],
] as const satisfies readonly (readonly [string, Partial<ShareContext>])[]

describe('the envelope of a passkey', () => {
  it('returns its content, for any bytes, with a key from the same PRF output', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        async (content, secret) => {
          const envelope = await sealUnderPasskey(
            await keyOf(new Uint8Array(secret)),
            new Uint8Array(content),
            context,
          )
          const opened = await openEnvelope(await keyOf(new Uint8Array(secret)), envelope, context)
          expect(opened).toEqual(new Uint8Array(content))
        },
      ),
    )
  })

  it('does not open after a byte of its nonce or ciphertext changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('nonce', 'ct'), ...anyChange, async (field, at, change) => {
        const bytes = flipped(base64urlnopad.decode(sealed[field]), at, change)
        expect(await refusal({ ...sealed, [field]: base64urlnopad.encode(bytes) })).toBe(notAuthentic)
      }),
    )
  })

  it('does not open with a PRF output that differs in a byte', async () => {
    await fc.assert(
      fc.asyncProperty(...anyChange, async (at, change) => {
        const other = await keyOf(flipped(given(), at, change))
        expect(await refusal(sealed, context, other)).toBe(notAuthentic)
      }),
    )
  })

  it('does not open after its ciphertext was cut anywhere', async () => {
    const whole = base64urlnopad.decode(sealed.ct)
    for (let length = 1; length < whole.length; length++) {
      const cut = { ...sealed, ct: base64urlnopad.encode(whole.slice(0, length)) }
      expect(await refusal(cut)).toBe(length <= 16 ? 'envelope_malformed: too_short' : notAuthentic)
    }
  })

  it('does not open after its text was cut anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: sealed.ct.length - 1 }), async (length) => {
        expect(await refusal({ ...sealed, ct: sealed.ct.slice(0, length) })).toMatch(
          /^envelope_(malformed|refused): /,
        )
      }),
    )
  })

  it.each(others)('of one %s does not open as that of another, under the same key', async (_, other) => {
    const about: ShareContext = { ...context, ...other }
    expect(await refusal({ ...sealed, gen: about.generation }, about)).toBe(notAuthentic)
  })

  it.each(others)('has another key for another %s, which does not open it', async (_, other) => {
    const ofAnother = await keyOf(given(), { ...context, ...other })
    expect(await refusal(sealed, context, ofAnother)).toBe(notAuthentic)
  })

  it('of another generation is refused by that name', async () => {
    expect(await refusal(sealed, { ...context, generation: 4 })).toBe('envelope_refused: wrong_generation')
  })

  it('of an unknown version is refused by that name, with any content', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer().filter((version) => version !== 1),
        fc.dictionary(fc.string(), fc.anything()),
        async (version, more) => {
          expect(await refusal({ ...more, v: version })).toBe('envelope_unknown_version: unknown_version')
          expect(await refusal({ ...sealed, v: version })).toBe('envelope_unknown_version: unknown_version')
        },
      ),
    )
  })

  it.each<[string, unknown]>([
    ['parameters, which it has none of', { ...sealed, params: { salt: 'AA' } }],
    ['another algorithm', { ...sealed, alg: 'A128GCM' }],
    ['a derivation that there is not', { ...sealed, kdf: 'hkdf' }],
    ['the costs of a password', { ...sealed, kdf: 'argon2id' }],
    ['a field too many', { ...sealed, credentialId: 'AA' }],
    ['a field too few', { ...sealed, kdf: undefined }],
  ])('with %s is malformed', async (_name, stored) => {
    expect(await refusal(stored)).toBe('envelope_malformed: malformed')
  })

  it('has its own parameters', () => {
    expect(sealed).toMatchObject({ v: 1, alg: 'A256GCM', kdf: 'webauthn-prf', params: {}, gen: 3 })
  })
})

describe('the PRF output of a passkey', () => {
  it('is wiped after its key was derived', async () => {
    const bytes = given()
    await keyOf(bytes)
    expect(bytes).toEqual(new Uint8Array(32))
  })

  it('of any length but 32 bytes is refused and wiped', async () => {
    for (const length of [0, 1, 16, 31, 33, 48, 64]) {
      const bytes = new Uint8Array(length).fill(7)
      await expect(keyOf(bytes), String(length)).rejects.toMatchObject({ code: 'invalid_request_arguments' })
      expect(bytes, String(length)).toEqual(new Uint8Array(length))
    }
  })

  it('becomes a key that is not extractable', async () => {
    expect(key).toMatchObject({
      type: 'secret',
      extractable: false,
      algorithm: { name: 'AES-GCM', length: 256 },
    })
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow()
  })
})
