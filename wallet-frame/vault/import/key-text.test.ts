/** Private keys as people paste them. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { array, assert, constantFrom, property, string, uint8Array } from 'fast-check'
import { generateMnemonic, english as words } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { parseKeyText } from './key-text.ts'

const read = (text: string) => parseKeyText(new TextEncoder().encode(text))
const key = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

describe('a private key', () => {
  it('is parsed with and without its prefix, in any case, with white space around it', () => {
    const bytes = Uint8Array.from(Buffer.from(key, 'hex'))
    for (const text of [key, `0x${key}`, `0X${key.toUpperCase()}`, key.toUpperCase(), ` \n0x${key}\r\n\t`])
      expect(read(text), text).toEqual({ key: bytes })
  })

  it("is accepted within the curve's range, and refused outside it", () => {
    const below = `${order.slice(0, -2)}40`
    for (const [text, isKey] of [
      ['0'.repeat(64), false],
      [`${'0'.repeat(63)}1`, true],
      [below, true],
      [order, false],
      ['f'.repeat(64), false],
    ] as const)
      expect(read(text), text).toEqual(
        isKey ? { key: Uint8Array.from(Buffer.from(text, 'hex')) } : { problem: 'out_of_range' },
      )
  })

  it.each([
    ['', 'not_a_key'],
    ['   ', 'not_a_key'],
    ['0x', 'not_a_key'],
    ['my key', 'not_a_key'],
    [`${key.slice(0, 63)}g`, 'not_a_key'],
    [`${key.slice(0, 32)} ${key.slice(32)}`, 'not_a_key'],
    [`${key.slice(0, 62)}\u00e9`, 'not_a_key'],
    ['\uff10'.repeat(64), 'not_a_key'],
    [key.slice(1), 'wrong_length'],
    [`${key}0`, 'wrong_length'],
    [key + key, 'wrong_length'],
    ['0x71C7656EC7ab88b098defB751B7401B5f6d8976F', 'wrong_length'],
    [generateMnemonic(words), 'not_a_key'],
    ['\u3042\u3044 \u3046\u3048', 'not_a_key'],
  ])('is not parsed from %j: %s', (text, problem) => {
    expect(read(text)).toEqual({ problem })
  })

  it('is parsed from every 32 bytes that the curve accepts, and no others', () => {
    assert(
      property(uint8Array({ minLength: 32, maxLength: 32 }), constantFrom('', '0x', ' '), (bytes, before) => {
        expect(read(before + bytesToHex(bytes))).toEqual(
          secp256k1.utils.isValidSecretKey(bytes) ? { key: bytes } : { problem: 'out_of_range' },
        )
      }),
    )
  })

  it('is never parsed from any other text', () => {
    const isKeyText = (text: string) => /^\s*(?:0x)?[0-9a-f]{64}\s*$/i.test(text)
    assert(
      property(
        array(constantFrom('0', 'x', 'a', 'F', 'g', ' ', '\n', '\u00e9'), { maxLength: 90 }),
        (letters) => {
          const text = letters.join('')
          expect('key' in read(text) && !isKeyText(text)).toBe(false)
        },
      ),
    )
    assert(property(string(), (text) => !('key' in read(text)) || isKeyText(text)))
  })
})
