import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { browserHash, createChallenge, randomSecret, seal, unseal } from './secrets.ts'

// https://www.rfc-editor.org/rfc/rfc7636#appendix-B
test('a challenge matches RFC 7636', () => {
  expect(createChallenge('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('a secret has 256 random bits', () => {
  const secrets = Array.from({ length: 100 }, randomSecret)
  for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(new Set(secrets).size).toBe(100)
})

test('a browser’s cookie hash differs from the challenge of the same secret', () => {
  expect(browserHash('a secret')).toMatch(/^[\w-]{43}$/)
  expect(browserHash('a secret')).not.toBe(createChallenge('a secret'))
  expect(browserHash('a secret')).not.toBe(browserHash('another'))
})

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
  })

  describe('sealed text', () => {
    test('opens for its own login and purpose only', () => {
      const sealed = seal(context, 'a-handle', 'a thing', 'a text, é')
      expect(sealed).not.toContain('text')
      expect(unseal(context, 'a-handle', 'a thing', sealed)).toBe('a text, é')
      expect(() => unseal(context, 'another', 'a thing', sealed)).toThrow()
      expect(() => unseal(context, 'a-handle', 'another', sealed)).toThrow()
    })

    test('differs each time, and does not open if modified', () => {
      const sealed = seal(context, 'a-handle', 'a thing', 'a text')
      expect(seal(context, 'a-handle', 'a thing', 'a text')).not.toBe(sealed)
      for (const at of [0, 11, 12, Buffer.from(sealed, 'base64url').length - 1]) {
        const bytes = Buffer.from(sealed, 'base64url')
        bytes[at] = (bytes[at] ?? 0) ^ 1
        expect(() => unseal(context, 'a-handle', 'a thing', bytes.toString('base64url'))).toThrow()
      }
      const short = Buffer.from(sealed, 'base64url').subarray(0, -4).toString('base64url')
      expect(() => unseal(context, 'a-handle', 'a thing', short)).toThrow()
    })
  })
})
