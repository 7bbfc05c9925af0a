import { isEmailAddress } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { missingPart } from './email-entry.tsx'

test.each([
  ['', 'everything'],
  ['  ', 'everything'],
  ['mira', 'at'],
  ['@example.com', 'name'],
  ['mira@', 'domain'],
  ['mira@example', 'domain'],
  ['mira@example.', 'domain'],
  ['mira@.com', 'domain'],
  ['mi ra@example.com', 'form'],
] as const)('of %j it says: %s', (text, part) => {
  expect(isEmailAddress(text)).toBe(false)
  expect(missingPart(text)).toBe(part)
})
