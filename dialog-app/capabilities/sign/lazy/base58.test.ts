import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { encodeBase58 } from './base58.ts'

test('encodes bytes as the library does, with leading zeros', () => {
  const samples = [[], [0], [0, 0, 1], [255], [0, 255, 0], Array(32).fill(0), Array(32).fill(255)]
  for (const sample of samples) {
    const bytes = Uint8Array.from(sample)
    expect(encodeBase58(bytes)).toBe(base58.encode(bytes))
  }
  for (let round = 0; round < 200; round += 1) {
    const bytes = crypto.getRandomValues(new Uint8Array(32))
    expect(encodeBase58(bytes)).toBe(base58.encode(bytes))
  }
})
