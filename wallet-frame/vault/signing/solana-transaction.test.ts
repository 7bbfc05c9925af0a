import { encodeSolanaTransaction, proofTag } from '@latchkey/protocol/wallet'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { getTransactionDecoder, verifySignature } from '@solana/kit'
import { describe, expect, it } from 'vitest'
import { deriveSolanaKey } from '../keys/derivation.ts'
import { toSignable } from './index.ts'

const key = await deriveSolanaKey(new Uint8Array(16))
/** The account that Solana wallets show for 'abandon … about'. */
const address = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'
const own = Uint8Array.from(base58.decode(address))
const sponsor = new Uint8Array(32).fill(7)
const system = new Uint8Array(32)
const blockhash = new Uint8Array(32).fill(9)
/** Sends 1 lamport from the first to the second account. */
const transfer = [1, 2, 2, 0, 1, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]

type Part = Uint8Array | number[]
const join = (...parts: Part[]) => concatBytes(...parts.map((part) => Uint8Array.from(part)))
const hex = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`
const noSignature = new Uint8Array(64)

/** The fee payer is the wallet. */
const legacyMessage = join([1, 0, 1, 3], own, sponsor, system, blockhash, transfer)
const legacy = join([1], noSignature, legacyMessage)
const versioned = join([1], noSignature, [0x80], legacyMessage, [0])
/** The sponsor pays the fee, and has signed. */
const sponsorSignature = new Uint8Array(64).fill(5)
const sponsoredMessage = join([2, 1, 1, 3], sponsor, own, system, blockhash, transfer)
const sponsored = join([2], sponsorSignature, noSignature, sponsoredMessage)

const signable = (bytes: Uint8Array, publicKey = address, wallet = address) =>
  toSignable({ method: 'solana_signTransaction', params: [hex(bytes), publicKey] }, wallet)
const sign = (bytes: Uint8Array) => hexToBytes(signable(bytes).sign(key).slice(2))
const malformed = expect.objectContaining({ code: 'invalid_data', message: 'The transaction is malformed' })
const refused = expect.objectContaining({ code: 'invalid_request_arguments' })

async function isSigned(transaction: Uint8Array) {
  const { signatures, messageBytes } = getTransactionDecoder().decode(transaction)
  const signature = signatures[address as keyof typeof signatures]
  const publicKey = await crypto.subtle.importKey('raw', own, 'Ed25519', true, ['verify'])
  return signature ? verifySignature(publicKey, signature, messageBytes) : false
}

describe('solana_signTransaction', () => {
  it.each([
    ['a legacy transaction', legacy],
    ['a transaction of version 0', versioned],
    ['a transaction whose fee another account pays', sponsored],
  ])("signs %s, as Solana's library verifies", async (_what, transaction) => {
    expect(await isSigned(sign(transaction))).toBe(true)
  })

  it('changes its own signature only', () => {
    const signed = sign(sponsored)
    expect(signed.subarray(0, 65)).toEqual(sponsored.subarray(0, 65))
    expect(signed.subarray(129)).toEqual(sponsored.subarray(129))
    expect(signed.subarray(65, 129)).toEqual(ed25519.sign(sponsoredMessage, key))
    expect(sign(signed)).toEqual(signed)
  })

  it('has the SHA-256 of the tagged bytes as its digest, with the signatures of others', () => {
    expect(signable(legacy).digest).toBe(hex(sha256(encodeSolanaTransaction(legacy))))
    const unsigned = join([2], noSignature, noSignature, sponsoredMessage)
    expect(signable(unsigned).digest).not.toBe(signable(sponsored).digest)
  })

  it('has a digest that no message has, because only reserved bytes hash to it', () => {
    const message = `${proofTag}solana-transaction/1\n`
    const tagged = new TextDecoder().decode(encodeSolanaTransaction(legacy))
    expect(tagged.startsWith(message)).toBe(true)
    expect(() =>
      toSignable({ method: 'signMessage', params: { message, publicKey: address } }, address),
    ).toThrow(refused)
  })

  it('refuses a transaction that another wallet signs', () => {
    const elsewhere = base58.encode(sponsor)
    expect(() => signable(legacy, elsewhere)).toThrow(refused)
    expect(() => signable(legacy, elsewhere, elsewhere)).toThrow(refused)
    expect(() => signable(sponsored, elsewhere, elsewhere)).not.toThrow()
  })

  it('refuses a transaction in which the wallet is no signer', () => {
    const asRecipient = join([1], noSignature, [1, 0, 1, 3], sponsor, own, system, blockhash, transfer)
    expect(() => signable(asRecipient)).toThrow(refused)
  })

  it.each<[string, Uint8Array]>([
    ['no bytes', new Uint8Array()],
    ['trailing bytes', join(legacy, [0])],
    ['more than 1,232 bytes', join(legacy, new Uint8Array(1_233 - legacy.length))],
    ['a version after 0', join([1], noSignature, [0x81], legacyMessage, [0])],
    ['lookup tables in a legacy transaction', join(legacy, [0])],
    ['a lookup table without accounts', join(versioned.subarray(0, -1), [1], sponsor, [0, 0])],
    ['a length with a needless byte', join([0x81, 0x00], noSignature, legacyMessage)],
    ['a length beyond two bytes', join([0x81, 0x80, 0x04], noSignature, legacyMessage)],
    ['no signer', join([0], [0, 0, 1, 3], own, sponsor, system, blockhash, transfer)],
    ['fewer signatures than signers', join([1], noSignature, sponsoredMessage)],
    ['more signatures than signers', join([2], noSignature, noSignature, legacyMessage)],
    [
      'a read-only fee payer',
      join([1], noSignature, [1, 1, 1, 3], own, sponsor, system, blockhash, transfer),
    ],
    [
      'a header beyond the accounts',
      join([1], noSignature, [1, 0, 3, 3], own, sponsor, system, blockhash, transfer),
    ],
    ['an account twice', join([1], noSignature, [1, 0, 1, 3], own, own, system, blockhash, transfer)],
    ['an instruction of the fee payer', join(legacy.subarray(0, -18), [1, 0], transfer.slice(2))],
    ['an unknown program', join(legacy.subarray(0, -18), [1, 3], transfer.slice(2))],
    ['an unknown account', join(legacy.subarray(0, -18), [1, 2, 2, 0, 3], transfer.slice(5))],
  ])('refuses %s', (_what, transaction) => {
    expect(() => signable(transaction)).toThrow(malformed)
  })

  it('refuses every truncation', () => {
    for (const whole of [legacy, versioned, sponsored]) {
      for (let length = 0; length < whole.length; length += 1) {
        expect(() => signable(whole.subarray(0, length)), `${length} bytes`).toThrow(malformed)
      }
    }
  })
})
