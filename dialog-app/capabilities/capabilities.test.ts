import { screenNames } from '@latchkey/protocol'
import type { Catalogue } from '@latchkey/protocol/texts'
import { expect, test } from 'vitest'
import type { Capability } from '../contract/capability.ts'
import { allPictures, type Pictures } from '../contract/picture.ts'
import { capabilities as list } from './index.ts'

const capabilities: readonly Capability[] = list

const modules = <T>(files: Record<string, T>) => Object.values(files)
const catalogues = modules(
  import.meta.glob<Catalogue<object>>('../**/*texts.arb', { eager: true, import: 'texts' }),
)

const texts = (node: unknown): string[] =>
  typeof node === 'object' && node !== null
    ? Object.values(node).flatMap(texts)
    : [typeof node === 'function' ? String(node({})) : String(node)]

test('defines each screen of the protocol in exactly one capability', async () => {
  const screens = await Promise.all(capabilities.map((each) => each.screens?.() ?? []))
  const names = screens.flatMap((all) => [...new Set(all.map(({ name }) => name))])
  expect(names.toSorted()).toEqual([...screenNames].toSorted())
})

test('has one folder per capability, with the same name', () => {
  const folders = Object.keys(import.meta.glob(['./*/*.ts', '!./lazy/*'])).map((path) => path.split('/')[1])
  // A capability may consist of several objects with the same name.
  const names = new Set(capabilities.map(({ name }) => name))
  expect([...names].toSorted()).toEqual([...new Set(folders)].toSorted())
})

test('shows every screen in the gallery', () => {
  const pictures = allPictures(
    modules(import.meta.glob<Pictures>('./*/gallery.ts', { eager: true, import: 'pictures' })),
  )
  const pictured = new Set(pictures.map(({ screen }) => screen(() => {}, 'en').name))
  expect([...pictured].toSorted()).toEqual([...screenNames].toSorted())
})

test('has no empty text, and no missing text in any language', async () => {
  expect(catalogues.length).toBeGreaterThan(30)
  for (const catalogue of catalogues) {
    await catalogue.load('ar')
    const [english, arabic] = [texts(catalogue.english), texts(catalogue.in('ar'))]
    for (const text of [...english, ...arabic]) expect(text.trim()).not.toBe('')
    expect(arabic).toHaveLength(english.length)
    expect(catalogue.in('ar')).not.toBe(catalogue.english)
  }
})
