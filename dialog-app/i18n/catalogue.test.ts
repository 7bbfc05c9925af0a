import { catalogue } from '@latchkey/protocol/texts'
import { expect, it } from 'vitest'
import { toLanguage } from './languages.ts'
import { texts as shellTexts } from './shell-texts.arb'

it('returns the language of the tag, or English if it is not supported', () => {
  expect(toLanguage('ar-EG')).toBe('ar')
  expect(toLanguage('AR')).toBe('ar')
  expect(toLanguage('tlh')).toBe('en')
  expect(toLanguage('constructor')).toBe('en')
  expect(toLanguage(undefined)).toBe('en')
})

it('is English until the language is loaded, and stays English if loading fails', async () => {
  const words = catalogue({ yes: 'yes' }, { ar: async () => ({ yes: 'نعم' }) })
  expect(words.isLoaded('ar')).toBe(false)
  expect(words.in('ar')).toEqual({ yes: 'yes' })
  await words.load('ar')
  expect(words.in('ar')).toEqual({ yes: 'نعم' })
  const lost = catalogue({ yes: 'yes' }, { ar: () => Promise.reject(new Error('no line')) })
  await lost.load('ar')
  expect(lost.isLoaded('ar')).toBe(true)
  expect(lost.in('ar')).toEqual({ yes: 'yes' })
})

it("contains the shell's texts in every language", async () => {
  await shellTexts.load('ar')
  expect(shellTexts.in('ar')).not.toBe(shellTexts.english)
})
