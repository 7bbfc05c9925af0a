import { join } from 'node:path'
import * as protocol from '@latchkey/protocol'
import { minify } from 'terser'
import { build } from 'vite'
import { loaderLimits } from '../limits.ts'
import { inlineConstants } from './inline-constants.ts'
import { slimProtocol } from './slim-protocol.ts'

const root = join(import.meta.dirname, '..')
const { product, apiLimits, appLimits, channelLimits, sessionLimits } = protocol
const constants = { product, apiLimits, appLimits, channelLimits, sessionLimits, loaderLimits }

/** Names of ours that cross neither a window, nor the API, nor the registry that copies of the loader share. */
const internalNames = [
  ...[
    'onConnect',
    'onReload',
    'onReconnect',
    'onDestroy',
    'onClose',
    'onReady',
    'onEvent',
    'onShown',
    'onLost',
  ],
  ...['handshakeDeadlineMs', 'needsPulse', 'addMessageHandler', 'allowedOrigins', 'remoteWindow'],
  ...['isAlive', 'isShown', 'certain'],
]

export type Bundle = { readonly entry: string; readonly format: 'iife' | 'es' }

/** Everything that the entry needs, in one file without an import. */
export async function bundle({ entry, format }: Bundle): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    resolve: {
      conditions: ['latchkey-source'],
      alias: { valibot: join(root, 'lean/valibot.ts'), penpal: join(root, 'lean/penpal.ts') },
    },
    plugins: [inlineConstants(constants), slimProtocol()],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: join(root, entry), formats: [format], name: product.name },
      rolldownOptions: {
        treeshake: { moduleSideEffects: (id: string) => id.endsWith(entry) },
        onLog(level, log, handle) {
          if (log.code !== 'IMPORT_IS_UNDEFINED') handle(level, log)
        },
      },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  const chunk = output && 'output' in output ? output.output[0] : undefined
  if (!chunk || chunk.imports.length > 0) throw new Error(`${entry} does not fit in one file`)
  // The bundler writes this for an import that a lean part does not have; unused ones are gone by now.
  const missing = /.*\(void 0\)\(.*/.exec(chunk.code)
  if (missing) throw new Error(`${entry} needs a part that lean/ does not have: ${missing[0].trim()}`)
  // Terser takes a twentieth off what Vite's own minifier leaves of this.
  const { code } = await minify(chunk.code, {
    ecma: 2020,
    module: format === 'es',
    toplevel: true,
    mangle: { properties: { regex: new RegExp(`^(${internalNames.join('|')})$`) } },
    compress: { passes: 4, pure_getters: true, unsafe_arrows: true },
  })
  if (!code) throw new Error(`${entry} came out empty`)
  return code
}
