import { catalogue } from '@latchkey/protocol/texts'
import { expect, it } from 'vitest'
import { toLanguage } from './languages.ts'
import { texts as shellTexts } from './shell-texts.arb'

it.each([
  ['ar-EG', 'ar'],
  ['AR', 'ar'],
  ['tlh', 'en'],
  ['constructor', 'en'],
  [undefined, 'en'],
])('resolves %s to %s', (locale, language) => {
  expect(toLanguage(locale)).toBe(language)
})

it('is English until the language is loaded, and stays English if loading fails', async () => {
  const words = catalogue({ yes: 'yes' }, async (language) => ({ ar: { yes: 'نعم' } })[language])
  expect(words.isLoaded('ar')).toBe(false)
  expect(words.in('ar')).toEqual({ yes: 'yes' })
  await words.load('ar')
  expect(words.in('ar')).toEqual({ yes: 'نعم' })
  const lost = catalogue({ yes: 'yes' }, () => Promise.reject(new Error('no line')))
  await lost.load('ar')
  expect(lost.isLoaded('ar')).toBe(true)
  expect(lost.in('ar')).toEqual({ yes: 'yes' })
})

it("contains the shell's texts in every language", async () => {
  await shellTexts.load('ar')
  expect(shellTexts.in('ar')).not.toBe(shellTexts.english)
})
