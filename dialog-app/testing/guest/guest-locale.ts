/** Tests of a language that no release has, run in a copy of the project to which it was added. */
import { expect, test } from 'vitest'
import { texts } from '../../capabilities/landing/texts.arb'
import { getDirection, toLanguage } from '../../i18n/languages.ts'

test('the new language is used for each of its tags, and is left-to-right', () => {
  expect(['eo', 'eo-001', 'ar', 'tlh'].map(toLanguage)).toEqual(['eo', 'eo', 'ar', 'en'])
  expect(getDirection('eo')).toBe('ltr')
})

test('a capability shows its texts in the new language', async () => {
  await texts.load('eo')
  expect(JSON.stringify(texts.in('eo'))).toContain('Eo: ')
  expect(JSON.stringify(texts.in('en'))).not.toContain('Eo: ')
})
