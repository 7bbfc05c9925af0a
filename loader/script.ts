/** The one-line form: `<script src="…/loader/v1/loader.js" data-app-id="…" async></script>`. */
import { type ClientConfig, LatchkeyError, product } from '@latchkey/protocol'
import { createLatchkey } from './create-latchkey.ts'
import type { Latchkey, LatchkeyOptions } from './latchkey.ts'
import { adoptStub, isStub } from './queue.ts'
import { refuseAll } from './refuse-all.ts'

declare global {
  // Only an interface merges with the browser's own Window.
  // biome-ignore lint/style/useConsistentTypeDefinitions: see above
  interface Window {
    latchkey?: Latchkey
  }
}

// A script that a bundler took in, or one of type module, has no current script.
const script = document.currentScript ?? document.querySelector('script[data-app-id]')
if (script instanceof HTMLScriptElement) install(script)

function install({ dataset, src }: HTMLScriptElement) {
  const before: unknown = Reflect.get(window, product.global)
  if (before && !isStub(before)) {
    console.warn(`${product.name}: the script is on this page twice; the first one stands`)
    return
  }
  const handle = makeHandle(readOptions(dataset, src))
  if (isStub(before)) adoptStub(before, handle)
  else Reflect.set(window, product.global, handle)
}

function makeHandle(options: LatchkeyOptions): Latchkey {
  try {
    return createLatchkey(options)
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error
    console.error(`${product.name}: ${error.message}`)
    return refuseAll(options.appId, error)
  }
}

function readOptions(
  { appId = '', dialogUrl, accent, theme, preload }: DOMStringMap,
  src: string,
): LatchkeyOptions {
  const appearance = { ...(accent && { accentColor: accent }), ...(theme && { theme }) }
  const config: ClientConfig = { appearance }
  return {
    appId,
    dialogUrl: dialogUrl ?? new URL(src).origin,
    ...(accent || theme ? { config } : {}),
    preload: preload === 'now' || preload === 'never' ? preload : 'idle',
  }
}
