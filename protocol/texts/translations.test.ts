/** Properties of every translation. */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import { describe, expect, it } from 'vitest'
import { approvalKeys, reviews } from './approval-texts.ts'
import { englishCatalogues, findProblems, isGuestFile, readLocales } from './catalogues.ts'
import { closestLanguage } from './languages.ts'
import { createPseudoLocale } from './pseudo-locale.ts'
import { getArguments, isMessage, type Message, type Messages } from './read-messages.ts'
import { hashApprovalTexts, isApprovalKey, withoutUnreviewed } from './reviews.ts'

const root = `${import.meta.dirname}/../..`
const english = englishCatalogues(root).filter(({ path }) => !isGuestFile(path))
const locales = readLocales(root)

const listMessages = (messages: Messages, path: string): [key: string, message: Message][] =>
  Object.entries(messages).flatMap(([name, value]) =>
    isMessage(value) ? [[`${path}.${name}`, value] as const] : listMessages(value, `${path}.${name}`),
  )
const listAll = (catalogues: Iterable<readonly [string, Messages]>) =>
  [...catalogues].flatMap(([name, messages]) => listMessages(messages, name))
const englishTexts = new Map(listAll(english.map(({ name, messages }) => [name, messages] as const)))

/** The server's sentences are English, so translations have a sentence of their own. */
const sharedArguments = (message: Message) =>
  [...getArguments(message).keys()].filter((name) => name !== 'sentence').sort()

/** Names, abbreviations and formats that a language may share with English. */
const sharedWords =
  /^(?:Farcaster|SMS|Passkeys?|Wallet|Warpcast|WalletConnect|MoonPay|Latchkey|iCloud|Google Drive|App|Apps|E-mail|Code|Account|Status|Link|Token|Passphrase|Name|Total|Action|Message|Transaction|Password|OK|No|you@example\.com)$/i
const withoutArguments = (text: string) => text.replace(/\{[^{}]*\}/g, '').replace(/[\s:·]+$/, '')
const isWorded = (text: string) => /\p{L}/u.test(withoutArguments(text))

const pluralsIn = (elements: readonly MessageFormatElement[]): string[][] =>
  elements.flatMap((element) => {
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return []
    const inner = Object.values(element.options).flatMap(({ value }) => pluralsIn(value))
    return element.type === TYPE.plural ? [Object.keys(element.options), ...inner] : inner
  })
const countsTo200 = Array.from({ length: 201 }, (_, count) => count)

describe.each(locales)('the translation to $tag', ({ tag, catalogues }) => {
  const texts = listAll([...catalogues].filter(([name]) => !name.startsWith('testing-')))

  it('is complete, except for approval texts that await their review', () => {
    expect(findProblems(english, [{ tag, catalogues, paths: [], direction: 'ltr' }])).toEqual(
      tag === 'ar' ? ['ar: no folder has the texts testing-guest'] : [],
    )
  })

  it('has the arguments of the English texts', () => {
    const differing = texts.filter(([key, message]) => {
      const original = englishTexts.get(key)
      return original && `${sharedArguments(message)}` !== `${sharedArguments(original)}`
    })
    expect(differing.map(([key]) => key)).toEqual([])
  })

  it('has each plural category that counts up to 200 use', () => {
    const rules = new Intl.PluralRules(tag)
    const required = new Set([...countsTo200.map((count) => rules.select(count)), 'other'])
    const plurals = texts.flatMap(([key, { elements }]) =>
      pluralsIn(elements).map((forms) => [key, forms] as const),
    )
    expect(plurals.length).toBeGreaterThan(2)
    expect(plurals.filter(([, forms]) => [...required].some((form) => !forms.includes(form)))).toEqual([])
  })

  it('has no text left in English', () => {
    const equal = texts.filter(
      ([key, { text }]) =>
        isWorded(text) && text === englishTexts.get(key)?.text && !sharedWords.test(withoutArguments(text)),
    )
    expect(equal.map(([key, { text }]) => `${key}: ${text}`)).toEqual([])
  })

  it('has the reviewed approval texts: a changed text needs a new review', () => {
    expect(reviews[tag]?.sha256).toBe(hashApprovalTexts(catalogues))
  })
})

it('each approval key exists in English', () => {
  const keys = [...englishTexts.keys()]
  const unknown = approvalKeys.filter((key) => !keys.some((one) => one === key || one.startsWith(`${key}.`)))
  expect(unknown).toEqual([])
  expect(isApprovalKey('sign.request.title')).toBe(true)
  expect(isApprovalKey('signed-in.title')).toBe(false)
})

it('a language without a review shows its approval texts in English', () => {
  const find = (name: string) => english.find((one) => one.name === name)?.messages ?? {}
  const isEnglish = (key: string, messages: Messages, name: string) =>
    listMessages(messages, name).find(([one]) => one === key)?.[1] === englishTexts.get(key)
  for (const name of ['sign', 'account-deletion']) {
    const translated = createPseudoLocale(english).catalogues.get(name) ?? {}
    const shown = withoutUnreviewed('tlh', name, find(name), translated)
    const approvalKey = name === 'sign' ? 'sign.request.title' : 'account-deletion.review.title'
    expect([name, isEnglish(approvalKey, shown, name)]).toEqual([name, true])
    expect(isEnglish('account-deletion.entry', shown, name)).toBe(false)
    expect(withoutUnreviewed('ar', name, find(name), translated)).toBe(translated)
  }
})

it.each([
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['pt-BR', 'pt-BR'],
  ['zh', 'zh-CN'],
  ['zh-Hans', 'zh-CN'],
  ['zh-Hans-CN', 'zh-CN'],
  ['zh-SG', 'zh-CN'],
  ['zh-Hans-SG', 'zh-CN'],
  ['zh-TW', 'zh-CN'],
  ['zh-Hant', 'zh-CN'],
  ['zh-TW,en-US', 'en'],
  ['zh-HK,tlh,ja', 'ja'],
  ['zh-TW,zh,en', 'zh-CN'],
  ['de-AT', 'de'],
  ['es-419', 'es'],
  ['es-MX', 'es'],
  ['nl-BE', 'nl'],
  ['it-CH', 'it'],
  ['pl-PL', 'pl'],
  ['DE', 'de'],
  ['tlh,ja,en', 'ja'],
  ['not a tag', undefined],
])('the tags %s resolve to %s', (tags, language) => {
  const known = ['en', ...locales.map(({ tag }) => tag)]
  expect(closestLanguage(tags.split(','), (one) => known.includes(one))).toBe(language)
})

it.each([
  ['zh-TW', ['en', 'zh-CN', 'zh-TW'], 'zh-TW'],
  ['zh-Hant', ['en', 'zh-CN', 'zh-TW'], 'zh-TW'],
  ['zh-HK', ['en', 'zh-CN', 'zh-TW'], 'zh-TW'],
  ['zh-TW', ['en'], undefined],
])('the tag %s of the languages %s resolves to %s', (tag, known, language) => {
  expect(closestLanguage([tag], (one) => known.includes(one))).toBe(language)
})

it('the pseudo-locale is about 40 % longer, in brackets, and keeps arguments', () => {
  const texts = listAll(createPseudoLocale(english).catalogues)
  const flatten = (elements: readonly MessageFormatElement[]) =>
    elements.map((element) => (element.type === TYPE.literal ? element.value : '')).join('')
  const lengths = texts.map(([key, { elements }]) => [
    flatten(englishTexts.get(key)?.elements ?? []).length,
    flatten(elements).length,
  ])
  const [before = 0, after = 0] = [0, 1].map((at) => lengths.reduce((sum, one) => sum + (one[at] ?? 0), 0))
  expect(after / before).toBeGreaterThan(1.3)
  expect(after / before).toBeLessThan(1.5)
  for (const [key, message] of texts) {
    expect(flatten(message.elements)).toMatch(/^⟦.*⟧$/s)
    expect([...getArguments(message)]).toEqual([...getArguments(englishTexts.get(key) ?? message)])
  }
})
