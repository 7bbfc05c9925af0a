import { catalogue } from '@latchkey/protocol/texts'
import { expect, it } from 'vitest'
import { languageOf } from './languages.ts'
import { texts as shellTexts } from './shell-texts.arb'

it('speaks the language of the tag, and English where it does not speak it', () => {
  expect(languageOf('ar-EG')).toBe('ar')
  expect(languageOf('AR')).toBe('ar')
  expect(languageOf('tlh')).toBe('en')
  expect(languageOf('constructor')).toBe('en')
  expect(languageOf(undefined)).toBe('en')
})

it('is English until the language has come, and stays so where it can not come', async () => {
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

it('has the shell in every language', async () => {
  await shellTexts.load('ar')
  expect(shellTexts.in('ar')).not.toBe(shellTexts.english)
})
