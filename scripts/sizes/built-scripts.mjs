import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Returns the scripts that a page loads at once, by its HTML. A part between `if` and `end` depends on the settings of an
 * app.
 * @type {(html: string) => string[]}
 */
export const scriptsInPage = (html) =>
  [...html.replace(/<!--if .*?<!--end-->/gs, '').matchAll(/<(script|link)\b[^>]*>/g)]
    .filter(([tag, name]) => name === 'script' || tag.includes('rel="modulepreload"'))
    .flatMap(([tag]) => /\b(?:src|href)="\/?([^"]+)"/.exec(tag)?.[1] ?? [])

/**
 * Returns the scripts of a capability and their static imports, by the manifest of Vite.
 * @type {(manifest: Readonly<Record<string, { file: string, imports?: readonly string[] }>>, name: string) => string[]}
 */
export function scriptsInManifest(manifest, name) {
  const keys = Object.keys(manifest).filter((key) => key.startsWith(`_${name}-`) && key.endsWith('.js'))
  if (keys.length === 0) throw new Error(`The manifest has no script of ${name}`)
  return scriptsOfChunks(manifest, keys)
}

/**
 * Returns the scripts of chunks and their static imports.
 * @type {(manifest: Readonly<Record<string, { file: string, imports?: readonly string[] }>>, keys: readonly string[]) => string[]}
 */
function scriptsOfChunks(manifest, keys) {
  const scripts = new Set()
  /** @type {(key: string) => void} */
  const visit = (key) => {
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`The manifest has no ${key}`)
    if (scripts.has(chunk.file)) return
    scripts.add(chunk.file)
    chunk.imports?.forEach(visit)
  }
  keys.forEach(visit)
  return [...scripts]
}

/**
 * Returns the scripts that a built page loads at once.
 * @type {(page: string) => string[]}
 */
export const pageScripts = (page) =>
  scriptsInPage(readFileSync(page, 'utf8')).map((file) => join(dirname(page), file))

/**
 * Returns the scripts that a capability of the dialog loads at its first use, beside those of the page.
 * @type {(name: string) => string[]}
 */
export function capabilityScripts(name) {
  const folder = 'dialog-app/dist'
  const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8'))
  const present = pageScripts(`${folder}/open.html`)
  return scriptsInManifest(manifest, name)
    .map((file) => join(folder, file))
    .filter((file) => !present.includes(file))
}

/**
 * Returns the scripts of the dashboard at its first load, and those that each screen loads beside them.
 * @type {() => { first: string[], screens: { name: string, scripts: string[] }[] }}
 */
export function dashboardScripts() {
  const folder = 'dashboard/dist'
  const manifest = JSON.parse(readFileSync(`${folder}/.vite/manifest.json`, 'utf8'))
  /** @type {(key: string) => string[]} */
  const scriptsOf = (key) => scriptsOfChunks(manifest, [key]).map((file) => join(folder, file))
  const first = scriptsOf('index.html')
  const screens = Object.keys(manifest).filter((key) => key.startsWith('screens/'))
  return {
    first,
    screens: screens.map((key) => ({
      name: basename(key, '.tsx'),
      scripts: scriptsOf(key).filter((file) => !first.includes(file)),
    })),
  }
}
