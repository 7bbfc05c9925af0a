/**
 * A Vite plugin to import the texts of a folder: `import … from './texts.arb'`. Packages choose the result: `loaded`
 * exports `texts`, a catalogue with translations as separate chunks; `inlined` exports `languages`, with all
 * translations for a single-file page.
 */
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import {
  type EnglishCatalogue,
  englishCatalogues,
  findProblems,
  isTextsFile,
  type Locale,
  readLocales,
} from './catalogues.ts'
import { compile, runtime } from './compile.ts'

const folder = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(folder))
const importRuntime = `import { ${runtime.join(', ')} } from ${JSON.stringify(join(folder, 'say.ts'))}`

/** The virtual module of one catalogue in one language: `locales/ar/terms.js`. */
const partPattern = /\/texts\/locales\/([\w-]+)\/([\w-]+)\.js$/

export function texts(translations: 'loaded' | 'inlined'): Plugin {
  /** Files are read once, and again after a change. */
  let files: { english: readonly EnglishCatalogue[]; locales: readonly Locale[] } | undefined
  const read = () => {
    files ??= { english: englishCatalogues(root), locales: readLocales(root) }
    return files
  }
  return {
    name: 'texts',
    enforce: 'pre',
    buildStart() {
      const { english, locales } = read()
      const problems = findProblems(english, locales)
      if (problems.length > 0) this.error(problems.join('\n'))
    },
    watchChange() {
      files = undefined
    },
    resolveId: (source) => (partPattern.test(source) ? source : undefined),
    load(id) {
      const [file = id, query] = id.split('?')
      const path = relative(root, file)
      if (query === 'direction') {
        const locale = read().locales.find(({ paths }) => paths.includes(path))
        return locale && javaScript(`export default ${JSON.stringify(locale.direction)}`)
      }
      const [, tag, name] = partPattern.exec(file) ?? []
      if (tag !== undefined && name !== undefined) {
        const locale = read().locales.find((one) => one.tag === tag)
        const english = read().english.find((one) => one.name === name)
        if (!locale || !english) return undefined
        for (const source of locale.paths) this.addWatchFile(join(root, source))
        return javaScript(`${importRuntime}\nexport default ${translated(english, locale)}`)
      }
      if (!isTextsFile(file) || path.startsWith('..')) return undefined
      const english = read().english.find((one) => one.path === path)
      if (!english) return undefined
      this.addWatchFile(file)
      if (translations === 'loaded') return javaScript(loaded(english, read().locales))
      for (const source of read().locales.flatMap(({ paths }) => paths)) this.addWatchFile(join(root, source))
      return javaScript(inlined(english, read().locales))
    },
  }
}

const javaScript = (code: string) => ({ code, moduleType: 'js' as const, moduleSideEffects: false })

const translated = ({ name, messages }: EnglishCatalogue, { tag, catalogues }: Locale) =>
  compile(catalogues.get(name) ?? {}, tag, messages)

function loaded({ name, messages }: EnglishCatalogue, locales: readonly Locale[]): string {
  const others = locales.map(({ tag }) => {
    const part = JSON.stringify(join(folder, `locales/${tag}/${name}.js`))
    return `${JSON.stringify(tag)}: () => import(${part}).then((part) => part.default)`
  })
  return `${importRuntime}
import { catalogue } from ${JSON.stringify(join(folder, 'catalogue.ts'))}
export const english = ${compile(messages, 'en')}
export const texts = /* @__PURE__ */ catalogue(english, { ${others.join(', ')} })`
}

function inlined(english: EnglishCatalogue, locales: readonly Locale[]): string {
  const all = [
    `en: { direction: 'ltr', texts: ${compile(english.messages, 'en')} }`,
    ...locales.map(
      (locale) =>
        `${JSON.stringify(locale.tag)}: { direction: '${locale.direction}', texts: ${translated(english, locale)} }`,
    ),
  ]
  return `${importRuntime}\nexport const languages = { ${all.join(', ')} }`
}
