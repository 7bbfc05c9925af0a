import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64url, toBase64url } from './base64url.ts'

test('bytes are written as Node writes them, and read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const written = toBase64url(bytes)
      expect(written).toBe(Buffer.from(bytes).toString('base64url'))
      expect(fromBase64url(written)).toEqual(Uint8Array.from(bytes))
    }),
  )
})

test.each(['a', 'ab!c', '{}', 'é', 'aa==', 'ab', 'a+/a', 'aaaa aaaa'])('%j is none', (written) => {
  expect(() => fromBase64url(written)).toThrow()
})
