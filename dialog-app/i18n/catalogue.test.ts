import { expect, it } from 'vitest'
import { ar } from './ar.ts'
import { loadTexts } from './catalogue.ts'
import { en } from './en.ts'

it('speaks the language of the tag, and English where it does not speak it', async () => {
  expect(await loadTexts('ar-EG')).toBe(ar)
  expect(await loadTexts('tlh')).toBe(en)
  expect(await loadTexts('constructor')).toBe(en)
  expect(await loadTexts(undefined)).toBe(en)
})

it('has no empty text in any language', () => {
  const texts = (node: unknown): string[] =>
    typeof node === 'object' && node !== null
      ? Object.values(node).flatMap(texts)
      : [typeof node === 'function' ? String(node('1')) : String(node)]
  for (const catalogue of [en, ar]) for (const text of texts(catalogue)) expect(text.trim()).not.toBe('')
  expect(texts(ar)).toHaveLength(texts(en).length)
})
