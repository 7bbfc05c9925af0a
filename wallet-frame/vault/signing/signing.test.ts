import { LatchkeyError } from '@latchkey/protocol'
import { walletProofBytes, walletProofDigest } from '@latchkey/protocol/wallet'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import * as v from 'valibot'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { recoverAddress, verifyMessage } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import { privateKeyToAddress } from '../keys/evm-address.ts'
import { signRequestSchema, toSignable } from './index.ts'
import { personalMessageBytes } from './personal-sign.ts'
import { signDigest } from './signature.ts'

const key = hexToBytes('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const account = privateKeyToAccount(`0x${bytesToHex(key)}`)
function signPersonalMessage(message: string, privateKey: Uint8Array) {
  const address = privateKeyToAddress(privateKey)
  return toSignable({ method: 'personal_sign', params: [message, address] }, address).sign(privateKey)
}
const privateKeys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes.some((byte) => byte !== 0) && (bytes[0] ?? 0) < 0xff)
  .map((bytes) => new Uint8Array(bytes))

const refusal = (text: string) =>
  expect.objectContaining({
    code: 'invalid_request_arguments',
    message: expect.stringContaining(text),
  })

describe('a signing request', () => {
  const address = privateKeyToAddress(key)
  const requests = [
    { method: 'personal_sign', params: ['hello', address] },
    { method: 'eth_signTypedData_v4', params: [address, '{}', `0x${'0'.repeat(64)}`] },
    { method: 'eth_signTransaction', params: ['0x02c0', address] },
    {
      method: 'signMessage',
      params: { message: 'hello', publicKey: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk' },
    },
  ]

  it.each(requests)('of $method accepts exactly its own parameters', (request) => {
    expect(v.parse(signRequestSchema, request)).toEqual(request)
    expect(v.is(signRequestSchema, { ...request, also: 1 })).toBe(false)
    expect(v.is(signRequestSchema, { method: request.method })).toBe(false)
    expect(v.is(signRequestSchema, { ...request, params: Array.isArray(request.params) ? [] : {} })).toBe(
      false,
    )
  })

  it.each(['eth_sign', 'eth_signTypedData', 'eth_sendTransaction', 'signTransaction', ''])(
    'does not accept the method %j',
    (method) => {
      for (const { params } of requests) expect(v.is(signRequestSchema, { method, params })).toBe(false)
    },
  )
})

describe('personal_sign', () => {
  it("returns viem's published signature of 'hello world'", () => {
    expect(signPersonalMessage('hello world', key)).toBe(
      '0xa461f509887bd19e312c0c58467ce8ff8e300d3c1a90b608a760c5b80318eaf15fe57c96f9175d6cd4daad4663763baa7e78836e067d0163e9a2ccf2ff753f5b1b',
    )
  })

  it('returns the signature of viem, for any text and any key', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        privateKeys,
        async (message, privateKey) => {
          fc.pre(!message.startsWith('0x'))
          const viem = privateKeyToAccount(`0x${bytesToHex(privateKey)}`)
          expect(signPersonalMessage(message, privateKey)).toBe(await viem.signMessage({ message }))
        },
      ),
    )
  })

  it('signs the bytes of a hex text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        const raw = `0x${bytesToHex(new Uint8Array(bytes))}` as const
        expect(signPersonalMessage(raw, key)).toBe(await account.signMessage({ message: { raw } }))
      }),
      { numRuns: 30 },
    )
  })

  it('counts bytes, not letters, in its prefix', async () => {
    const message = 'Grüße, 🔑'
    const signature = signPersonalMessage(message, key)
    expect(
      await verifyMessage({
        address: privateKeyToAddress(key) as `0x${string}`,
        message,
        signature: signature as Hex,
      }),
    ).toBe(true)
  })

  it('is deterministic and has a low s', () => {
    const half = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const message = `m${text}`
        const signature = signPersonalMessage(message, key)
        expect(signature).toBe(signPersonalMessage(message, key))
        expect(signature).toMatch(/^0x[0-9a-f]{128}(1b|1c)$/)
        expect(BigInt(`0x${signature.slice(66, 130)}`) <= half).toBe(true)
      }),
    )
  })

  // spec L8.55
  it.each(['', '0x'])("refuses the empty message '%s'", (message) => {
    expect(() => personalMessageBytes(message)).toThrow(refusal('Message must be a non-empty string'))
  })

  it.each(['0x1', '0xzz', '0x 1', '0x123', '0x12 '])(
    'refuses %s, which wallets interpret differently',
    (message) => {
      expect(() => personalMessageBytes(message)).toThrow(refusal('must be hex'))
    },
  )

  it('refuses a text with a lone surrogate, which would be signed as another text', () => {
    expect(() => personalMessageBytes('a\ud83d')).toThrow(refusal('not well-formed'))
  })

  it('refuses a message of more than 64 KB, counted in bytes', () => {
    expect(personalMessageBytes('é'.repeat(32 * 1024)).length).toBe(64 * 1024)
    expect(() => personalMessageBytes('é'.repeat(32 * 1024 + 1))).toThrow(refusal('too long'))
  })
})

describe('an ownership proof for the server', () => {
  const address = privateKeyToAddress(key)
  const sealed = { v: 1, enc: 'AAAA', ct: 'BBBB' } as const
  const wallet = {
    appId: 'a'.repeat(25),
    userId: 'somebody_else',
    walletId: 'wallet_1',
    kind: 'entropy',
    chain: 'ethereum',
    generation: 1,
    address,
    authShare: sealed,
    recovery: { method: 'latchkey', share: sealed },
  } as const
  const proof = walletProofBytes(wallet)
  /** Verifies a signature as the server verifies a proof. */
  const proves = async (signature: `0x${string}`) =>
    (await recoverAddress({ hash: await walletProofDigest(wallet), signature })) === address
  /** A sentence that an earlier version signed as an ordinary message. */
  const oldText = [
    'Latchkey wallet registration',
    `app: ${wallet.appId}`,
    `user: ${wallet.userId}`,
    `wallet: ${wallet.walletId}`,
    `address: ${address.toLowerCase()}`,
  ].join('\n')
  const hexOf = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`
  const around = (bytes: Uint8Array) =>
    fc.uint8Array({ maxLength: 8 }).map((other) => hexOf(new Uint8Array([...other, ...bytes, ...other])))

  it('is signed by the vault only as such, and never by personal_sign of any text or bytes', async () => {
    expect(await proves(signDigest(await walletProofDigest(wallet), key))).toBe(true)
    const messages = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => hexOf(new Uint8Array(bytes))),
      fc.constant(oldText),
      fc.constant(hexOf(await walletProofDigest(wallet))),
      around(proof),
    )
    await fc.assert(
      fc.asyncProperty(messages, async (message) => {
        const signature = signedOrRefused(message)
        expect(signature !== undefined && (await proves(signature as Hex))).toBe(false)
      }),
    )
  })

  it.each([
    ['its bytes as text', new TextDecoder().decode(proof)],
    ['its bytes as hex', hexOf(proof)],
    ['its tag alone', 'latchkey/wallet-proof/'],
    ['its tag as hex', '0x6c617463686b65792f77616c6c65742d70726f6f662f'],
    ['its tag and anything', 'latchkey/wallet-proof/2 hello'],
  ])('is refused by personal_sign in the form of %s', (_name, message) => {
    expect(() => signPersonalMessage(message, key)).toThrow(
      expect.objectContaining({
        code: 'invalid_request_arguments',
        message: 'This message may not be signed',
      }),
    )
  })

  it.each(['latchkey/wallet-proof', ' latchkey/wallet-proof/', 'Latchkey/wallet-proof/1'])(
    'is not recognized in %j, which is signed',
    (message) => {
      expect(signPersonalMessage(message, key)).toMatch(/^0x/)
    },
  )

  function signedOrRefused(message: string) {
    try {
      return signPersonalMessage(message, key)
    } catch (error) {
      if (!(error instanceof LatchkeyError)) throw error
      return undefined
    }
  }
})
