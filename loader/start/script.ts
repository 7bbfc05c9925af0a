/** The script tag: `<script src="…/loader/v1/loader.js" data-app-id="…" async></script>`. */
import { type ClientConfig, globalName, LatchkeyError, productName } from '@latchkey/protocol'
import type { Latchkey } from '../calls/latchkey.ts'
import { refuseAll } from '../client/handle.ts'
import { openHandle } from '../client/open-handle.ts'
import { warnOnce } from '../frame/warn-once.ts'
import type { LatchkeyOptions } from '../types/options.ts'
import { pinnedScript, secondFileAddress } from './pinned-script.ts'
import { adoptStub, isStub } from './queue.ts'

declare global {
  // Only an interface merges with the browser's own Window.
  // biome-ignore lint/style/useConsistentTypeDefinitions: see above
  interface Window {
    latchkey?: Latchkey
  }
}

/** The hash of the second file, which is built first. */
declare const SECOND_FILE_INTEGRITY: string
declare const SECOND_FILE_FOLDER: string

// Bundled scripts and module scripts have no `currentScript`.
const script = document.currentScript ?? document.querySelector('script[data-app-id]')
if (script instanceof HTMLScriptElement) install(script)

function install(script: HTMLScriptElement) {
  const existing: unknown = Reflect.get(window, globalName)
  if ('appId' in Object(existing)) {
    warnOnce('the script ran twice')
    return
  }
  const handle = makeHandle(script)
  if (isStub(existing)) adoptStub(existing, handle)
  else Reflect.set(window, globalName, handle)
}

function makeHandle({ dataset, src, nonce }: HTMLScriptElement): Latchkey {
  const options = readOptions(dataset, src)
  const loadSecondFile = pinnedScript({
    address: secondFileAddress(src, SECOND_FILE_FOLDER),
    integrity: SECOND_FILE_INTEGRITY,
    nonce,
  })
  try {
    return openHandle(options, loadSecondFile)
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error
    console.error(`${productName}: ${error.message}`)
    return refuseAll(options.appId, error)
  }
}

type Appearance = NonNullable<ClientConfig['appearance']>

function readOptions(
  { appId = '', dialogUrl, accent, theme, preload }: DOMStringMap,
  src: string,
): LatchkeyOptions & { dialogUrl: string } {
  // The dialog validates the attributes.
  const appearance = { ...(accent && { accentColor: accent }), ...(theme && { theme }) } as Appearance
  const config: ClientConfig = { appearance }
  return {
    appId,
    dialogUrl: dialogUrl ?? new URL(src).origin,
    ...(accent || theme ? { config } : {}),
    preload: preload === 'now' || preload === 'never' ? preload : 'idle',
  }
}
