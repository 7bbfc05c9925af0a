/**
 * A Vite plugin to import the texts of a folder: `import { texts } from './texts.arb'` is a catalogue. Each language
 * other than English is one chunk with all texts of the package, which loads when a screen needs the language.
 */
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import {
  type EnglishCatalogue,
  englishCatalogues,
  findProblems,
  isGuestFile,
  isTextsFile,
  type Locale,
  readLocales,
} from './catalogues.ts'
import { compile, runtime } from './compile.ts'
import { createPseudoLocale } from './pseudo-locale.ts'
import type { Messages } from './read-messages.ts'
import { withoutUnreviewed } from './reviews.ts'

const folder = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(folder))
const importRuntime = `import { ${runtime.join(', ')} } from ${JSON.stringify(join(folder, 'say.ts'))}`

/**
 * The virtual modules: the directions and the loaders of all languages, and the texts of each. They have no file, because
 * test runners store transformed files, which would hide a new language.
 */
const directionsFile = join(folder, 'locales/directions.js')
const loadersFile = join(folder, 'locales/loaders.js')
const languagePattern = /\/texts\/locales\/([\w-]+)\.js$/

type Options = {
  /** Adds the language `en-XA` with long and accented texts. */
  hasPseudoLocale?: boolean
}

/** Language chunks contain the texts of one package, and those of the protocol. */
export function texts(packageName: string, { hasPseudoLocale = false }: Options = {}): Plugin {
  /** Files are read once, and again after a change. */
  let files: ReturnType<typeof readFiles> | undefined
  const read = () => {
    files ??= readFiles(hasPseudoLocale)
    return files
  }
  const isLoadedWithLanguage = ({ path }: EnglishCatalogue) =>
    (path.startsWith(`${packageName}/`) || path.startsWith('protocol/')) && !isGuestFile(path)
  return {
    name: 'texts',
    enforce: 'pre',
    buildStart() {
      const { problems } = read()
      if (problems.length > 0) this.error(problems.join('\n'))
    },
    watchChange() {
      files = undefined
    },
    resolveId(source) {
      // A development server requests the module by its path below the root of the project.
      if (source === '@latchkey/protocol/texts/directions') return directionsFile
      const name = languagePattern.exec(source)?.[1]
      return name === undefined ? undefined : join(folder, `locales/${name}.js`)
    },
    load(id) {
      const [file = id] = id.split('?')
      const path = relative(root, file)
      if (file === directionsFile) return javaScript(compileDirections(read().locales))
      if (file === loadersFile) return javaScript(compileLoaders(read().locales))
      const tag = languagePattern.exec(file)?.[1]
      if (tag !== undefined) {
        const locale = read().locales.find((one) => one.tag === tag)
        if (!locale) return undefined
        for (const source of locale.paths) this.addWatchFile(join(root, source))
        return javaScript(compileLanguage(read().english.filter(isLoadedWithLanguage), locale))
      }
      if (!isTextsFile(file) || path.startsWith('..')) return undefined
      const english = read().english.find((one) => one.path === path)
      if (!english) return undefined
      this.addWatchFile(file)
      return javaScript(compileCatalogue(english, read().locales))
    },
  }
}

function readFiles(hasPseudoLocale: boolean) {
  const english = englishCatalogues(root)
  const locales = readLocales(root)
  return {
    english,
    problems: findProblems(english, locales),
    locales: [
      ...locales.map((locale) => hideUnreviewed(english, locale)),
      ...(hasPseudoLocale ? [createPseudoLocale(english)] : []),
    ],
  }
}

/** Leaves out the catalogues of which all texts would be English. */
function hideUnreviewed(english: readonly EnglishCatalogue[], locale: Locale): Locale {
  const visible = english.flatMap(({ name, messages }) => {
    const translation = locale.catalogues.get(name)
    const texts = translation && withoutUnreviewed(locale.tag, name, messages, translation)
    return texts && texts !== messages ? [[name, texts] as const] : []
  })
  return { ...locale, catalogues: new Map(visible) }
}

const javaScript = (code: string) => ({ code, moduleType: 'js' as const, moduleSideEffects: false })

function compileDirections(locales: Locale[]): string {
  const all = Object.fromEntries(locales.map(({ tag, direction }) => [tag, direction]))
  return `export const directions = ${JSON.stringify({ en: 'ltr', ...all })}`
}

function compileLoaders(locales: Locale[]): string {
  const all = locales.map(({ tag }) => {
    const language = JSON.stringify(join(folder, `locales/${tag}.js`))
    return `${JSON.stringify(tag)}: () => import(${language})`
  })
  return `const loaders = { ${all.join(', ')} }
export const loadTranslation = async (language, name) => (await loaders[language]?.())?.default[name]`
}

function compileLanguage(english: readonly EnglishCatalogue[], { tag, catalogues }: Locale): string {
  const parts = english.flatMap(({ name, messages }) => {
    const translation = catalogues.get(name)
    return translation ? [`${JSON.stringify(name)}: ${compile(translation, tag, messages)}`] : []
  })
  return `${importRuntime}\nexport default { ${parts.join(',\n')} }`
}

function compileCatalogue({ name, path, messages }: EnglishCatalogue, locales: Locale[]): string {
  return `${importRuntime}
import { catalogue } from ${JSON.stringify(join(folder, 'catalogue.ts'))}
import { loadTranslation } from ${JSON.stringify(loadersFile)}
export const english = ${compile(messages, 'en')}
export const texts = /* @__PURE__ */ catalogue(english, ${
    isGuestFile(path)
      ? compileGuest(name, messages, locales)
      : `(language) => loadTranslation(language, '${name}')`
  })`
}

/** The translations of the test guest are in no language chunk, because those are released. */
function compileGuest(name: string, messages: Messages, locales: Locale[]): string {
  const all = locales.flatMap(({ tag, catalogues }) => {
    const translation = catalogues.get(name)
    return translation ? [`${JSON.stringify(tag)}: ${compile(translation, tag, messages)}`] : []
  })
  return `async (language) => ({ ${all.join(', ')} })[language]`
}
