import { join } from 'node:path'
import { productName } from '@latchkey/protocol'
import { minify } from 'terser'
import { build, type Plugin } from 'vite'

const root = join(import.meta.dirname, '..')

const errors = join(root, '../protocol/errors/errors.ts')

/** Keeps imports of neighboring modules external, so that the host's bundler resolves them. */
const neighboursBeside: Plugin = {
  name: 'neighbours-beside',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source === './errors.js') return { id: source, external: true }
    if (importer?.endsWith('/start/index.ts') && source === '../lazy/second-file.ts') {
      return { id: './more.js', external: true }
    }
    return source === '../start/index.ts' ? { id: './index.js', external: true } : undefined
  },
  // Named exports, because Vite cannot resolve `export *` of an external file.
  load: (id) => (id === errors ? `export { LatchkeyError, toLatchkeyError } from './errors.js'` : undefined),
}

export type Bundle = {
  /** A path in this package. */
  entry: string
  format: 'iife' | 'es'
  plugins?: readonly Plugin[]
  define?: Readonly<Record<string, string>>
  /** Prepended to the file. */
  directive?: string
}

/** Bundles an entry into one file. Only npm modules may import neighboring files. */
export async function bundle({
  entry,
  format,
  plugins = [],
  define = {},
  directive = '',
}: Bundle): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    resolve: { conditions: ['latchkey-source'] },
    define,
    plugins: [...plugins],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: join(root, entry), formats: [format], name: productName },
      rolldownOptions: {
        external: ['react', 'viem', 'wagmi'],
        optimization: { inlineConst: { mode: 'all' } },
      },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  const [chunk, ...others] = output && 'output' in output ? output.output : []
  if (!chunk || others.length > 0 || (format === 'iife' && chunk.imports.length > 0))
    throw new Error(`${entry} does not fit in one file`)
  // Terser takes most of the time of a build, and a browser of this machine gains nothing by it.
  if (process.env.LATCHKEY_LOCAL_BUILD) return directive + chunk.code
  const { code } = await minify(chunk.code, {
    ecma: 2020,
    module: format === 'es',
    toplevel: true,
    // Both settings make the compressed output smaller.
    compress: { passes: 4, unsafe_arrows: true, pure_getters: true, sequences: false },
  })
  if (!code) throw new Error(`${entry} came out empty`)
  return directive + code
}

/**
 * Bundles the npm modules, by file name. The first and second file import `LatchkeyError` from a third, so that
 * errors of both are instances of the class that a host imports.
 */
export async function bundleModules() {
  const module = (entry: string, plugins: readonly Plugin[] = [], directive = '') =>
    bundle({ entry, format: 'es', plugins, directive })
  return {
    'index.js': await module('start/index.ts', [neighboursBeside]),
    'more.js': await module('lazy/second-file.ts', [neighboursBeside]),
    'errors.js': await module('../protocol/errors/errors.ts'),
    'state.js': await module('state/state.ts', [neighboursBeside]),
    // Rendered in the browser: server components must import it as client code.
    'react.js': await module('react/react.ts', [neighboursBeside], `'use client';`),
    'conformance.js': await module('conformance/conformance.ts'),
    'fake.js': await module('fake/fake.ts', [neighboursBeside]),
    'wagmi.js': await module('wagmi/wagmi.ts', [neighboursBeside]),
  }
}
