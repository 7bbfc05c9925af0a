import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CodeKey, CodePurpose } from './code-key.ts'
import { bindingHash } from './code-key.ts'
import { codeOf, hashOfCode, newSeed } from './digits.ts'

const email: CodePurpose = { name: 'email', channel: 'email', digits: 6, seconds: 600 }
const key: CodeKey = {
  appId: 'a'.repeat(25),
  purpose: email,
  identifier: 'ada@example.com',
  binding: bindingHash('browser'),
}

/** Each name has a pepper of its own, as a keyring has; `asked` is what was named. */
function keys(secret = 'secret', inUse = 'pepper') {
  const asked: string[] = []
  const pepper = (name: string, id: string) => {
    asked.push(id === 'pepper' ? name : `${name} of ${id}`)
    return createHash('sha256').update(`${secret} ${name} ${id}`).digest()
  }
  return {
    asked,
    of: { keyring: { pepper, pepperInUse: () => inUse } } as unknown as Parameters<typeof hashOfCode>[0],
  }
}

describe('what is kept of a code', () => {
  const { of } = keys()
  const kept = hashOfCode(of, key, '123456', 'pepper')

  test('is the same for the same code of the same app, address, browser and purpose', () => {
    expect(hashOfCode(keys().of, { ...key }, '123456', 'pepper')).toBe(kept)
  })

  test.each<[string, CodeKey, string]>([
    ['code', key, '123457'],
    ['app', { ...key, appId: 'b'.repeat(25) }, '123456'],
    ['address', { ...key, identifier: 'eve@example.com' }, '123456'],
    ['browser', { ...key, binding: bindingHash('another') }, '123456'],
    ['browser, which is unknown', { ...key, binding: bindingHash(undefined) }, '123456'],
    ['purpose', { ...key, purpose: { ...email, name: 'link' } }, '123456'],
  ])('is nothing for another %s', (_what, other, code) => {
    expect(hashOfCode(of, other, code, 'pepper')).not.toBe(kept)
  })

  test('is nothing without the pepper', () => {
    expect(hashOfCode(keys('another').of, key, '123456', 'pepper')).not.toBe(kept)
  })

  test('names its pepper, but for the first, and is another under another', () => {
    expect(kept).toMatch(/^[\w-]{43}$/)
    const later = hashOfCode(of, key, '123456', 'second')
    expect(later).toMatch(/^second\.[\w-]{43}$/)
    expect(later).not.toContain(kept)
  })
})

describe('a code', () => {
  test('is drawn with one pepper and kept with another, and each purpose has its own two', () => {
    const { asked, of } = keys()
    for (const purpose of [email, { ...email, name: 'link' }]) {
      hashOfCode(of, { ...key, purpose }, codeOf(of, purpose, 'seed'), 'pepper')
    }
    expect(asked).toEqual(['email-code-draw', 'email-code', 'link-code-draw', 'link-code'])
  })

  test('is the same from the same seed, and another from another, another pepper or another purpose', () => {
    const { of } = keys()
    const code = codeOf(of, email, 'seed')
    expect(code).toMatch(/^\d{6}$/)
    expect(codeOf(keys().of, email, 'seed')).toBe(code)
    expect(codeOf(of, email, 'seeds')).not.toBe(code)
    expect(codeOf(keys('another').of, email, 'seed')).not.toBe(code)
    expect(codeOf(of, { ...email, name: 'link' }, 'seed')).not.toBe(code)
  })

  test('has all its digits, also where it begins with zeros', () => {
    const { of } = keys()
    const drawn = Array.from({ length: 3_000 }, (_, seed) => codeOf(of, email, `${seed}`))
    for (const code of drawn) expect(code).toMatch(/^\d{6}$/)
    expect(drawn.some((code) => code.startsWith('00'))).toBe(true)
    expect(codeOf(of, { ...email, digits: 8 }, 'seed')).toMatch(/^\d{8}$/)
  })

  test('is drawn from 32 random bytes', () => {
    const { of } = keys()
    expect(Buffer.from(newSeed(of), 'base64url')).toHaveLength(32)
    expect(newSeed(of)).not.toBe(newSeed(of))
  })

  test('is drawn with the pepper that was in use when its seed was made', () => {
    const { asked, of } = keys('secret', 'second')
    const seed = newSeed(of)
    expect(seed).toMatch(/^second\.[\w-]{43}$/)
    codeOf(keys().of, email, seed)
    codeOf(of, email, seed)
    expect(asked).toEqual(['email-code-draw of second'])
  })
})

test('a browser is kept as a hash of what it sends, and one that sends nothing is nobody', () => {
  expect(bindingHash(undefined)).toBe('')
  expect(bindingHash('browser')).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(bindingHash('browser')).not.toBe(bindingHash('another'))
})
