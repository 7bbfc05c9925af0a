import { join } from 'node:path'
import { productName } from '@latchkey/protocol'
import { minify } from 'terser'
import { build, type Plugin } from 'vite'

const root = join(import.meta.dirname, '..')

/** The module leaves the second file to the host's own bundler, which finds it beside. */
const secondFileBeside: Plugin = {
  name: 'second-file-beside',
  enforce: 'pre',
  resolveId: (source, importer) =>
    importer?.endsWith('/index.ts') && source === './more/more.ts'
      ? { id: './more.js', external: true }
      : undefined,
}

export type Bundle = {
  /** A file of this package. */
  readonly entry: string
  readonly format: 'iife' | 'es'
  readonly plugins?: readonly Plugin[]
  readonly define?: Readonly<Record<string, string>>
}

/** Everything that the entry needs, in one file. The module alone asks for another, which lies beside it. */
export async function bundle({ entry, format, plugins = [], define = {} }: Bundle): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    resolve: { conditions: ['latchkey-source'] },
    define,
    plugins: [secondFileBeside, ...plugins],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: join(root, entry), formats: [format], name: productName },
      rolldownOptions: { optimization: { inlineConst: { mode: 'all' } } },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  const chunk = output && 'output' in output ? output.output[0] : undefined
  if (!chunk || chunk.imports.length > 0) throw new Error(`${entry} does not fit in one file`)
  const { code } = await minify(chunk.code, {
    ecma: 2020,
    module: format === 'es',
    toplevel: true,
    // Arrows for functions that have no `this`, and statements as they are: both come out shorter compressed.
    compress: { passes: 4, unsafe_arrows: true, pure_getters: true, sequences: false },
  })
  if (!code) throw new Error(`${entry} came out empty`)
  return code
}
