import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hexOfBytes, hexOfText } from './hex.ts'
import { dialogVersion } from './version.ts'

test('bytes and texts are written as Node writes them, after 0x', () => {
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

test('the version is the one of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(dialogVersion).toBe(manifest.version)
})
