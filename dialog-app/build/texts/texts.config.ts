/**
 * Lets code import the texts of its folder: `import { texts } from './texts.arb'`. A translation is a script of its own
 * for each catalogue, loaded when its language is drawn; `ar.arb?direction` is which way it is written.
 */
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { englishCatalogues, isTexts, type Locale, problemsOf, readLocales } from './catalogues.ts'
import { compile, runtime } from './compile.ts'
import type { Messages } from './messages.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const inDialog = (path: string) => join(root, path)
const importRuntime = `import { ${runtime.join(', ')} } from ${JSON.stringify(inDialog('i18n/message.ts'))}`

/** Of one catalogue in one language: `i18n/locales/ar/terms.js`, of which there is no file. */
const partPattern = /\/i18n\/locales\/([\w-]+)\/([\w-]+)\.js$/

export function texts(): Plugin {
  /** All files are read once, and again after one has changed. */
  let files:
    | { readonly english: ReturnType<typeof englishCatalogues>; readonly locales: readonly Locale[] }
    | undefined
  const read = () => {
    files ??= { english: englishCatalogues(root), locales: readLocales(root) }
    return files
  }
  return {
    name: 'texts',
    enforce: 'pre',
    buildStart() {
      const { english, locales } = read()
      const problems = problemsOf(english, locales)
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
        const messages = locale?.catalogues.get(name)
        if (!locale || !english || !messages) return undefined
        for (const source of locale.paths) this.addWatchFile(inDialog(source))
        return javaScript(`${importRuntime}\nexport default ${compile(messages, tag, english.messages)}`)
      }
      if (!isTexts(file) || path.startsWith('..')) return undefined
      const english = read().english.find((one) => one.path === path)
      if (!english) return undefined
      this.addWatchFile(file)
      return javaScript(catalogue(english.name, english.messages, read().locales))
    },
  }
}

const javaScript = (code: string) => ({ code, moduleType: 'js' as const, moduleSideEffects: false })

function catalogue(name: string, messages: Messages, locales: readonly Locale[]): string {
  const others = locales.map(({ tag }) => {
    const part = JSON.stringify(inDialog(`i18n/locales/${tag}/${name}.js`))
    return `${JSON.stringify(tag)}: () => import(${part}).then((part) => part.default)`
  })
  return `${importRuntime}
import { catalogue } from ${JSON.stringify(inDialog('i18n/catalogue.ts'))}
export const english = ${compile(messages, 'en')}
export const texts = /* @__PURE__ */ catalogue(english, { ${others.join(', ')} })`
}
