/** Bundles programs that tests start repeatedly. About 1,600 modules add 0.4 s of CPU time to each start. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build as buildWithVite, type Plugin } from 'vite'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, '.cache', 'programs')
const sources = ['package-lock.json', 'protocol', 'server', 'sdk', 'sandbox', 'scripts']
const isSource = /\.(?:[cm]?[jt]sx?|json)$/
const DAY_MS = 86_400_000

let fingerprint: string | undefined
const bundles = new Map<string, Promise<string>>()

/** Returns the path of the script's bundle, and builds it if a source has changed. */
export function bundleProgram(script: string): Promise<string> {
  const bundle = bundles.get(script) ?? findOrBuild(script)
  bundles.set(script, bundle)
  return bundle
}

async function findOrBuild(script: string): Promise<string> {
  fingerprint ??= fingerprintSources()
  const built = join(folder, `${basename(script, '.ts')}-${fingerprint}`)
  if (!existsSync(built)) await build(script, built)
  return join(built, 'main.mjs')
}

async function build(script: string, target: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  removeOldBundles()
  const draft = mkdtempSync(join(folder, 'draft-'))
  await buildWithVite({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [originalPaths],
    resolve: { conditions: ['latchkey-source'] },
    ssr: {
      noExternal: true,
      // Its classes extend Node classes through `require`, which the bundler replaces.
      external: ['pg'],
      resolve: { conditions: ['latchkey-source', 'node', 'import', 'default'] },
    },
    build: {
      ssr: script,
      outDir: draft,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'main.mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  })
  try {
    renameSync(draft, target)
  } catch (error) {
    // Another test worker was faster.
    rmSync(draft, { recursive: true })
    if (!existsSync(target)) throw error
  }
}

/** Keeps the original paths, because modules read texts and pages next to themselves. */
const originalPaths: Plugin = {
  name: 'original-paths',
  transform: {
    filter: { code: 'import.meta.' },
    handler: (code, id) =>
      code
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.filename', JSON.stringify(id))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
  },
}

function fingerprintSources(): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const path of filesIn(join(root, source))) {
      const { mtimeMs, size } = statSync(path)
      hash.update(`${path} ${mtimeMs} ${size}\n`)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

function filesIn(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .flatMap((entry) => {
      const inside = join(path, entry.name)
      if (entry.isDirectory()) return filesIn(inside)
      return isSource.test(entry.name) ? [inside] : []
    })
}

function removeOldBundles(): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path, { recursive: true, force: true })
  }
}
