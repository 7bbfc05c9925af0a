import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex, textToHex } from './hex.ts'

test('encodes bytes and texts like Node, with a 0x prefix', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(bytesToHex(bytes)).toBe(`0x${Buffer.from(bytes).toString('hex')}`)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(textToHex(text)).toBe(`0x${Buffer.from(text).toString('hex')}`)
    }),
  )
})
