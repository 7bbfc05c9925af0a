import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hexOfBytes, hexOfText } from './hex.ts'

test('encodes bytes and texts like Node, with a 0x prefix', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(hexOfBytes(bytes)).toBe(`0x${Buffer.from(bytes).toString('hex')}`)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(hexOfText(text)).toBe(`0x${Buffer.from(text).toString('hex')}`)
    }),
  )
})
