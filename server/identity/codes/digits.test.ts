import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CodeKey, CodePurpose } from './code-key.ts'
import { hashBinding } from './code-key.ts'
import { deriveCode, hashCode, newSeed } from './digits.ts'

const email: CodePurpose = { name: 'email', channel: 'email', digits: 6, seconds: 600 }
const key: CodeKey = {
  appId: 'a'.repeat(25),
  purpose: email,
  identifier: 'ada@example.com',
  binding: hashBinding('browser'),
}

/** Fake peppers, one per name. `asked` records the requested names. */
function keys(secret = 'secret', inUse = 'pepper') {
  const asked: string[] = []
  const pepper = (name: string, id: string) => {
    asked.push(id === 'pepper' ? name : `${name} of ${id}`)
    return createHash('sha256').update(`${secret} ${name} ${id}`).digest()
  }
  return {
    asked,
    of: { keyring: { pepper, pepperInUse: () => inUse } } as unknown as Parameters<typeof hashCode>[0],
  }
}

describe('the stored hash of a code', () => {
  const { of } = keys()
  const kept = hashCode(of, key, '123456', 'pepper')

  test('the stored hash is the same for the same code, app, address, browser and purpose', () => {
    expect(hashCode(keys().of, { ...key }, '123456', 'pepper')).toBe(kept)
  })

  test.each<[string, CodeKey, string]>([
    ['code', key, '123457'],
    ['app', { ...key, appId: 'b'.repeat(25) }, '123456'],
    ['address', { ...key, identifier: 'eve@example.com' }, '123456'],
    ['browser', { ...key, binding: hashBinding('another') }, '123456'],
    ['browser, which is unknown', { ...key, binding: hashBinding(undefined) }, '123456'],
    ['purpose', { ...key, purpose: { ...email, name: 'link' } }, '123456'],
  ])('the stored hash does not match another %s', (_what, other, code) => {
    expect(hashCode(of, other, code, 'pepper')).not.toBe(kept)
  })

  test('the stored hash depends on the pepper', () => {
    expect(hashCode(keys('another').of, key, '123456', 'pepper')).not.toBe(kept)
  })

  test('the stored hash names its pepper, except the first one, and differs between peppers', () => {
    expect(kept).toMatch(/^[\w-]{43}$/)
    const later = hashCode(of, key, '123456', 'second')
    expect(later).toMatch(/^second\.[\w-]{43}$/)
    expect(later).not.toContain(kept)
  })
})

describe('a code', () => {
  test('a code is derived and hashed with different peppers, which differ per purpose', () => {
    const { asked, of } = keys()
    for (const purpose of [email, { ...email, name: 'link' }]) {
      hashCode(of, { ...key, purpose }, deriveCode(of, purpose, 'seed'), 'pepper')
    }
    expect(asked).toEqual(['email-code-draw', 'email-code', 'link-code-draw', 'link-code'])
  })

  test('a code depends on its seed, pepper and purpose only', () => {
    const { of } = keys()
    const code = deriveCode(of, email, 'seed')
    expect(code).toMatch(/^\d{6}$/)
    expect(deriveCode(keys().of, email, 'seed')).toBe(code)
    expect(deriveCode(of, email, 'seeds')).not.toBe(code)
    expect(deriveCode(keys('another').of, email, 'seed')).not.toBe(code)
    expect(deriveCode(of, { ...email, name: 'link' }, 'seed')).not.toBe(code)
  })

  test('a code keeps its leading zeros', () => {
    const { of } = keys()
    const drawn = Array.from({ length: 3_000 }, (_, seed) => deriveCode(of, email, `${seed}`))
    for (const code of drawn) expect(code).toMatch(/^\d{6}$/)
    expect(drawn.some((code) => code.startsWith('00'))).toBe(true)
    expect(deriveCode(of, { ...email, digits: 8 }, 'seed')).toMatch(/^\d{8}$/)
  })

  test('a code is derived from 32 random bytes', () => {
    const { of } = keys()
    expect(Buffer.from(newSeed(of), 'base64url')).toHaveLength(32)
    expect(newSeed(of)).not.toBe(newSeed(of))
  })

  test('a code is derived with the pepper that was current when its seed was created', () => {
    const { asked, of } = keys('secret', 'second')
    const seed = newSeed(of)
    expect(seed).toMatch(/^second\.[\w-]{43}$/)
    deriveCode(keys().of, email, seed)
    deriveCode(of, email, seed)
    expect(asked).toEqual(['email-code-draw of second'])
  })
})

test('a browser is stored as a hash of its binding, and empty without one', () => {
  expect(hashBinding(undefined)).toBe('')
  expect(hashBinding('browser')).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(hashBinding('browser')).not.toBe(hashBinding('another'))
})
