/**
 * Lets code import the texts of its folder: `import { texts } from './texts.arb'`. A translation is a script of its own
 * for each catalogue, loaded when its language is drawn; `ar.arb?direction` is which way it is written.
 */
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { englishCatalogues, isTexts, nameOf, problemsOf, readCatalogue, readLocales } from './catalogues.ts'
import { compile, runtime } from './compile.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const inDialog = (path: string) => join(root, path)
const importRuntime = `import { ${runtime.join(', ')} } from ${JSON.stringify(inDialog('i18n/message.ts'))}`

/** Of one catalogue in one language: `i18n/locales/ar/terms.js`, of which there is no file. */
const partPattern = /\/i18n\/locales\/([\w-]+)\/([\w-]+)\.js$/

export function texts(): Plugin {
  return {
    name: 'texts',
    enforce: 'pre',
    buildStart() {
      const problems = problemsOf(englishCatalogues(root), readLocales(root))
      if (problems.length > 0) this.error(problems.join('\n'))
    },
    resolveId: (source) => (partPattern.test(source) ? source : undefined),
    load(id) {
      const [file = id, query] = id.split('?')
      const path = relative(root, file)
      if (query === 'direction') {
        const locale = readLocales(root).find(({ paths }) => paths.includes(path))
        return locale && javaScript(`export default ${JSON.stringify(locale.direction)}`)
      }
      const [, tag, name] = partPattern.exec(file) ?? []
      if (tag !== undefined && name !== undefined) {
        const locale = readLocales(root).find((one) => one.tag === tag)
        const english = englishCatalogues(root).find((one) => one.name === name)
        const messages = locale?.catalogues.get(name)
        if (!locale || !english || !messages) return undefined
        for (const source of locale.paths) this.addWatchFile(inDialog(source))
        return javaScript(`${importRuntime}\nexport default ${compile(messages, tag, english.messages)}`)
      }
      if (!isTexts(file) || path.startsWith('..')) return undefined
      this.addWatchFile(file)
      return javaScript(catalogue(path))
    },
  }
}

const javaScript = (code: string) => ({ code, moduleType: 'js' as const, moduleSideEffects: false })

function catalogue(path: string): string {
  const { messages } = readCatalogue(root, path)
  const others = readLocales(root).map(({ tag }) => {
    const part = JSON.stringify(inDialog(`i18n/locales/${tag}/${nameOf(path)}.js`))
    return `${JSON.stringify(tag)}: () => import(${part}).then((part) => part.default)`
  })
  return `${importRuntime}
import { catalogue } from ${JSON.stringify(inDialog('i18n/catalogue.ts'))}
export const english = ${compile(messages, 'en')}
export const texts = /* @__PURE__ */ catalogue(english, { ${others.join(', ')} })`
}
