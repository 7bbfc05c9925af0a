import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { englishCatalogues, findProblems, isGuestFile, readLocales, toCatalogueName } from './catalogues.ts'
import { compile, createTypeText, runtime as runtimeNames } from './compile.ts'
import { createTexts } from './create-texts.ts'
import { compareMessages, readMessages } from './read-messages.ts'
import { withoutUnreviewed } from './reviews.ts'
import * as runtime from './say.ts'

/** Evaluates the compiled code of a page. */
const compiled = (source: unknown, language = 'en', english: unknown = source) =>
  new Function(...runtimeNames, `return ${compile(readMessages(source), language, readMessages(english))}`)(
    runtime.number,
    runtime.plural,
    runtime.select,
  )

/** Creates the texts as a program does at start-up. */
const created: typeof compiled = (source, language = 'en', english = source) =>
  createTexts(readMessages(source), language, readMessages(english))

describe.each([
  ['in a page', compiled],
  ['in a program', created],
])('texts %s', (_where, run) => {
  it('are strings and functions, grouped by their keys', () => {
    const texts = run({
      'wait.title': 'Wait',
      'wait.detail': 'You continue at {provider}.',
      '@wait.title': { description: 'A title' },
    })
    expect(texts.wait.title).toBe('Wait')
    expect(texts.wait.detail({ provider: 'Google' })).toBe('You continue at Google.')
    expect(Object.keys(texts)).toEqual(['wait'])
  })

  it("use each language's plural forms", () => {
    const english = { left: '{minutes, plural, one {# minute} other {# minutes}} left' }
    expect([1, 2].map((minutes) => run(english).left({ minutes }))).toEqual([
      '1 minute left',
      '2 minutes left',
    ])
    const arabic = {
      left: '{minutes, plural, one {دقيقة واحدة} two {دقيقتان} few {# دقائق} other {# دقيقة}}',
    }
    const texts = run(arabic, 'ar', english)
    expect([1, 2, 3, 11].map((minutes) => texts.left({ minutes }))).toEqual([
      'دقيقة واحدة',
      'دقيقتان',
      `${new Intl.NumberFormat('ar').format(3)} دقائق`,
      `${new Intl.NumberFormat('ar').format(11)} دقيقة`,
    ])
    expect(run({ none: '{n, plural, =0 {nothing} other {#}}' }).none({ n: 0 })).toBe('nothing')
    expect(run({ many: '{n, number}' }, 'de').many({ n: 12_345 })).toBe('12.345')
  })

  it('select by a word, never by an inherited property', () => {
    const texts = run({ says: '{code, select, not_found {Nothing there} other {{sentence}}}' })
    expect(texts.says({ code: 'not_found', sentence: 'x' })).toBe('Nothing there')
    expect(texts.says({ code: 'constructor', sentence: 'Busy' })).toBe('Busy')
  })

  it('reach the page unchanged with any characters', () => {
    const brace = "$'{'e'}'"
    const texts = run({ plain: `\`b\` \\ "d" \u2028 ${brace}`, given: `\`$\{c}\` ${brace} \\` })
    expect(texts.plain).toBe(['`b` \\ "d" \u2028 $', '{e}'].join(''))
    expect(texts.given({ c: 'C' })).toBe(['`$C` $', '{e} \\'].join(''))
  })

  it('keep the shape of the English text if a translation uses fewer arguments', () => {
    const texts = run({ refused: 'لا يمكن' }, 'ar', { refused: '{sentence}' })
    expect(texts.refused({ sentence: 'x' })).toBe('لا يمكن')
  })

  it('have the types of their arguments', () => {
    expect(
      createTypeText(
        readMessages({
          title: 'Wait',
          'a.b': '{app} of {n, number}',
          c: '{n, plural, other {#}} {kind, select, other {}}',
        }),
      ),
    ).toBe(
      '{ readonly "title": string; readonly "a": { readonly "b": (values: { readonly app: string | number; readonly n: number }) => string }; ' +
        'readonly "c": (values: { readonly n: number; readonly kind: string }) => string }',
    )
  })

  it.each([
    ['a brace that is not closed', { title: 'Wait {' }, 'title is not in ICU MessageFormat'],
    ['a value that is no text', { title: 5 }, 'title is not a text with a key of words and dots'],
    ['a key that is no path', { 'a..b': 'x' }, 'a..b is not a text'],
    ['a key that is a text and a group', { a: 'x', 'a.b': 'y' }, 'a.b lies below a text'],
    ['a key that is a group and a text', { 'a.b': 'y', a: 'x' }, 'a is a text and a group'],
    ['no object', ['x'][0], 'is not an object of texts'],
  ])('reject %s with the key', (_case, source, message) => {
    expect(() => readMessages(source)).toThrow(message)
  })

  it('reject dates, which are formatted in code', () => {
    expect(() => run({ on: '{when, date}' })).toThrow('Dates, times and tags are formatted in code')
  })
})

describe('a translation', () => {
  const english = readMessages({ 'a.title': 'Wait for {app}', 'a.close': 'Close', b: 'Back' })

  it('may use fewer arguments, in another order', () => {
    const other = readMessages({ 'a.title': 'Warten', b: 'Zurück', 'a.close': 'Schließen' })
    expect(compareMessages(english, other)).toEqual([])
  })

  it('is reported for missing, extra and mismatched texts', () => {
    const other = readMessages({ 'a.title': 'Warten auf {provider}', b: 'Zurück', c: 'Neu' })
    expect(compareMessages(english, other)).toEqual([
      'a.title names {provider}, which the English text does not have',
      'a.close is missing',
      'c is in no English text',
    ])
  })
})

it('every text is identical in a page and in a program, in every language', () => {
  const root = join(import.meta.dirname, '../..')
  const runAll = (texts: unknown): unknown =>
    typeof texts === 'function'
      ? [1, 2, 3, 11].map((value) => texts(new Proxy({}, { get: () => value })))
      : typeof texts === 'string'
        ? texts
        : Object.entries(texts as object).map(([name, inner]) => [name, runAll(inner)])
  const locales = readLocales(root)
  const all = englishCatalogues(root)
  expect(all.length).toBeGreaterThan(50)
  for (const { name, path, messages } of all) {
    for (const { tag, catalogues } of [{ tag: 'en', catalogues: new Map([[name, messages]]) }, ...locales]) {
      if (isGuestFile(path) && !catalogues.has(name)) continue
      const translated = withoutUnreviewed(tag, name, messages, catalogues.get(name) ?? {})
      const code = new Function(...runtimeNames, `return ${compile(translated, tag, messages)}`)
      expect([name, tag, runAll(createTexts(translated, tag, messages))]).toEqual([
        name,
        tag,
        runAll(code(runtime.number, runtime.plural, runtime.select)),
      ])
    }
  }
})

describe('text files', () => {
  let root: string
  const put = (path: string, content: unknown) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'texts-'))
    put('dialog-app/capabilities/terms/texts.arb', { title: 'Terms' })
    put('dialog-app/capabilities/landing/lazy/options/texts.arb', { title: 'Options' })
    put('dialog-app/i18n/shell-texts.arb', { close: 'Close' })
    put('server/login/email/texts.arb', { subject: '{code} is your code' })
    put('server/login/email/notes.arb', {})
  })
  afterAll(() => rmSync(root, { recursive: true }))

  it('are named by their folders', () => {
    expect(englishCatalogues(root).map(({ name }) => name)).toEqual([
      'landing-options',
      'terms',
      'shell',
      'server-login-email',
    ])
    expect(toCatalogueName('dialog-app/webauthn/window/texts.arb')).toBe('webauthn-window')
  })

  it('adds a language with one file, and reports its missing texts', () => {
    put('protocol/texts/locales/pt-BR.arb', {
      'terms.title': 'Termos',
      'shell.close': 'Fechar',
      'shelf.x': 'y',
      'server-login-email.subject': 'x',
    })
    put('protocol/texts/locales/ar.arb', {
      'terms.title': 'x',
      'shell.close': 'x',
      'landing-options.title': 'x',
      'server-login-email.subject': 'x',
    })
    const locales = readLocales(root)
    expect(locales.map(({ tag, direction }) => [tag, direction])).toEqual([
      ['ar', 'rtl'],
      ['pt-BR', 'ltr'],
    ])
    expect(findProblems(englishCatalogues(root), locales)).toEqual([
      'pt-BR: no folder has the texts shelf',
      'pt-BR: landing-options.title is missing',
    ])
  })

  it('are rejected with their path if they are invalid JSON or have a non-canonical tag', () => {
    put('protocol/texts/locales/pt-br.arb', {})
    expect(() => readLocales(root)).toThrow(
      'protocol/texts/locales/pt-br.arb: the canonical form of the tag is pt-BR',
    )
    rmSync(join(root, 'protocol/texts/locales/pt-br.arb'))
    put('dialog-app/capabilities/terms/texts.arb', '{')
    expect(() => englishCatalogues(root)).toThrow('dialog-app/capabilities/terms/texts.arb')
  })
})
