/**
 * Builds a page's bundle with the loader's modules, like a host's bundler does. An alias replaces React by
 * another version.
 */
import type { Page } from '@playwright/test'
import { type Alias, build } from 'vite'
import { appId, type Stack } from './stack.ts'

export async function bundledPage(entry: string, alias: readonly Alias[] = []): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['latchkey-source'], alias: [...alias] },
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'page' } },
  })
  const [output] = Array.isArray(built) ? built : [built]
  if (!output || !('output' in output)) throw new Error('The page build has no output')
  return output.output[0].code
}

/**
 * Serves the bundle instead of the one-line page's script and loader. The bundle reads the app from its
 * document.
 */
export async function serveBundle(page: Page, { dialogOrigin }: Stack, bundle: string): Promise<void> {
  const settings = JSON.stringify({ appId, dialogUrl: dialogOrigin })
  const body = `Object.assign(document.documentElement.dataset, ${settings});\n${bundle}`
  await page.route('**/one-line.js', (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await page.route('**/loader/v1/loader.js', (route) => route.abort())
}
