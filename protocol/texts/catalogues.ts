/**
 * Finds texts. English is next to its code, in `texts.arb` or `…-texts.arb`. Each translation is one file in
 * `locales/`, whose keys start with the catalogue name.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Direction, Language } from './languages.ts'
import { compareMessages, isMessage, type Messages, readMessages } from './read-messages.ts'
import { withoutUnreviewed } from './reviews.ts'

export type EnglishCatalogue = {
  /** Path from the repository root. */
  path: string
  name: string
  messages: Messages
}

export type LocaleFiles = {
  paths: readonly string[]
  /** The file name, a BCP 47 tag. */
  tag: Language
  direction: Direction
}
export type Locale = LocaleFiles & { catalogues: ReadonlyMap<string, Messages> }

const packages = ['dialog-app', 'protocol', 'server', 'wallet-frame']
const localesFolder = 'protocol/texts/locales'

/**
 * Returns the catalogue name of a path. `dialog-app/capabilities/landing/lazy/log-in-again/texts.arb` becomes
 * `landing-log-in-again`, and `server/login/email/texts.arb` becomes `server-login-email`. Dialog catalogues have no
 * prefix, since most are the dialog's.
 */
export function toCatalogueName(path: string): string {
  const words = path.replace(/(?:(?:^|[-/])texts)?\.arb$/, '').split('/')
  return words.filter((word) => !['dialog-app', 'capabilities', 'i18n', 'lazy'].includes(word)).join('-')
}

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file} is not JSON`, { cause: error })
  }
}

const withFile = <T>(file: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

export const isTextsFile = (path: string) => /(?:^|[-/])texts\.arb$/.test(path)

export function readCatalogue(root: string, path: string): EnglishCatalogue {
  return {
    path,
    name: toCatalogueName(path),
    messages: withFile(path, () => readMessages(readJson(join(root, path)))),
  }
}

export function englishCatalogues(root: string): readonly EnglishCatalogue[] {
  const paths = globSync(`{${packages}}/**/*texts.arb`, {
    cwd: root,
    exclude: (name) => /(?:^|\/)(?:dist|node_modules)$/.test(String(name)),
  })
  const all = paths
    .filter(isTextsFile)
    .sort()
    .map((path) => readCatalogue(root, path))
  for (const { name, path } of all) {
    const other = all.find((one) => one.name === name && one.path !== path)
    if (other) throw new Error(`${path} and ${other.path} have the same name: ${name}`)
  }
  return all
}

/** The test guest has its own translations, and none in other languages. */
const guest = 'dialog-app/testing/guest/'
const localesOfGuest = `${guest}locales`
export const isGuestFile = (path: string) => path.startsWith(guest)

/** Lists the files of each language. */
export const localeFiles = (root: string): readonly LocaleFiles[] =>
  globSync(`${localesFolder}/*.arb`, { cwd: root })
    .sort()
    .map((path) => {
      const tag = basename(path, '.arb')
      const canonical = Intl.getCanonicalLocales(tag)[0]
      if (canonical !== tag) throw new Error(`${path}: the canonical form of the tag is ${canonical}`)
      const paths = [path, ...globSync(`${localesOfGuest}/${tag}.arb`, { cwd: root })]
      return { paths, tag, direction: getDirection(tag) }
    })

export const readLocales = (root: string): readonly Locale[] =>
  localeFiles(root).map((files) => ({
    ...files,
    catalogues: new Map(files.paths.flatMap((path) => readCatalogues(root, path))),
  }))

function readCatalogues(root: string, path: string): (readonly [name: string, Messages])[] {
  const all = withFile(path, () => readMessages(readJson(join(root, path))))
  return Object.entries(all).map(([name, messages]) => {
    if (isMessage(messages)) throw new Error(`${path}: ${name} is in no catalogue`)
    return [name, messages]
  })
}

/** Reads single catalogues of a language on demand, without parsing the others. */
export function readTranslations(root: string, { paths }: LocaleFiles): (name: string) => Messages {
  const texts = paths.flatMap((path) => Object.entries(Object(readJson(join(root, path)))))
  return (name) => {
    const own = texts.filter(([key]) => key.startsWith(`${name}.`))
    return withFile(paths.join(' and '), () =>
      readMessages(Object.fromEntries(own.map(([key, text]) => [key.slice(name.length + 1), text]))),
    )
  }
}

/** Right-to-left scripts of living languages. */
const rightToLeft = ['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']

const getDirection = (tag: string): Direction =>
  rightToLeft.includes(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr'

/**
 * Returns the problems of the translations, one per line. Approval texts may be missing until their review, because
 * English is shown.
 */
export function findProblems(english: readonly EnglishCatalogue[], locales: readonly Locale[]): string[] {
  const englishNames = new Set(english.map(({ name }) => name))
  return locales.flatMap(({ tag, catalogues }) => [
    ...[...catalogues.keys()]
      .filter((name) => !englishNames.has(name))
      .map((name) => `${tag}: no folder has the texts ${name}`),
    ...english
      .filter(({ name, path }) => catalogues.has(name) || !isGuestFile(path))
      .flatMap(({ name, messages }) =>
        compareMessages(messages, withoutUnreviewed(tag, name, messages, catalogues.get(name) ?? {}), name),
      )
      .map((line) => `${tag}: ${line}`),
  ])
}
