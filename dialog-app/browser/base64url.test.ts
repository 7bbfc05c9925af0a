import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64url, toBase64url } from './base64url.ts'

test('encodes like Node and decodes the result', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const written = toBase64url(bytes)
      expect(written).toBe(Buffer.from(bytes).toString('base64url'))
      expect(fromBase64url(written)).toEqual(Uint8Array.from(bytes))
    }),
  )
})

test.each(['a', 'ab!c', '{}', 'é', 'aa==', 'ab', 'a+/a', 'aaaa aaaa'])('rejects %j', (written) => {
  expect(() => fromBase64url(written)).toThrow()
})
