/** Signatures and points that somebody else has thought of: Project Wycheproof, as `testing/wycheproof.json` names it. */
import { expect, test } from 'vitest'
import { importedKey, isPointOfCurve, verifyEs256 } from './es256.ts'
import vectors from './testing/wycheproof.json' with { type: 'json' }

const bytes = (hex: string) => Buffer.from(hex, 'hex')

test('a signature of ES256 counts where it is one of this key and text, and nowhere else', () => {
  let checked = 0
  for (const [at, { x, y, tests }] of vectors.keys.entries()) {
    const key = importedKey(`wycheproof ${at}`, { x, y })
    if (!key) throw new Error('A key of these vectors is on the curve')
    for (const [message, signature, isValid] of tests as [string, string, boolean][]) {
      const is = verifyEs256(key, message, bytes(signature))
      expect([x, signature, is]).toEqual([x, signature, isValid])
      checked += 1
    }
  }
  expect(checked).toBeGreaterThan(100)
})

test('a point is taken where it is on the curve, uncompressed, and nowhere else', () => {
  const points = vectors.points as [string, boolean][]
  for (const [point, isOnCurve] of points) {
    expect([point, isPointOfCurve(bytes(point).toString('base64url'))]).toEqual([point, isOnCurve])
  }
  expect(points.filter(([, isOnCurve]) => !isOnCurve).length).toBeGreaterThan(10)
})
