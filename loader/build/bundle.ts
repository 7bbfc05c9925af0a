import { join } from 'node:path'
import { productName } from '@latchkey/protocol'
import { minify } from 'terser'
import { build, type Plugin } from 'vite'

const root = join(import.meta.dirname, '..')

const errors = join(root, '../protocol/errors/errors.ts')

/** A module leaves its neighbours to the host's own bundler, which finds them beside. */
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
  // Named, because nobody knows what `export *` of a file beside has.
  load: (id) => (id === errors ? `export { LatchkeyError, toLatchkeyError } from './errors.js'` : undefined),
}

export type Bundle = {
  /** A file of this package. */
  entry: string
  format: 'iife' | 'es'
  plugins?: readonly Plugin[]
  define?: Readonly<Record<string, string>>
  /** Before everything else in the file. */
  directive?: string
}

/** Everything that the entry needs, in one file. A module alone asks for others, which lie beside it. */
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
  const { code } = await minify(chunk.code, {
    ecma: 2020,
    module: format === 'es',
    toplevel: true,
    // Arrows for functions that have no `this`, and statements as they are: both come out shorter compressed.
    compress: { passes: 4, unsafe_arrows: true, pure_getters: true, sequences: false },
  })
  if (!code) throw new Error(`${entry} came out empty`)
  return directive + code
}

/**
 * The modules for npm, by their names. The first and the second have the class of errors from a third, so that an error
 * of either is a `LatchkeyError` of the class that a host imports.
 */
export async function bundleModules() {
  const module = (entry: string, plugins: readonly Plugin[] = [], directive = '') =>
    bundle({ entry, format: 'es', plugins, directive })
  return {
    'index.js': await module('start/index.ts', [neighboursBeside]),
    'more.js': await module('lazy/second-file.ts', [neighboursBeside]),
    'errors.js': await module('../protocol/errors/errors.ts'),
    'state.js': await module('state/state.ts', [neighboursBeside]),
    // Its components draw in browsers: a server hands them over as they are.
    'react.js': await module('react/react.ts', [neighboursBeside], `'use client';`),
    'conformance.js': await module('conformance/conformance.ts'),
    'fake.js': await module('fake/fake.ts', [neighboursBeside]),
    'wagmi.js': await module('wagmi/wagmi.ts', [neighboursBeside]),
  }
}
