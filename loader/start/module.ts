/** The served ES module: `import { createLatchkey } from 'https://dialog.example/loader/v1/latchkey.js'`. */
import type { Latchkey } from '../calls/latchkey.ts'
import { openHandle } from '../client/open-handle.ts'
import type { LatchkeyOptions } from '../types/options.ts'
import { pinnedScript, secondFileAddress } from './pinned-script.ts'

/** The hash of the second file, which is built first. */
declare const SECOND_FILE_INTEGRITY: string
declare const SECOND_FILE_FOLDER: string

const loadSecondFile = pinnedScript({
  address: secondFileAddress(import.meta.url, SECOND_FILE_FOLDER),
  integrity: SECOND_FILE_INTEGRITY,
  // A module does not know its own script element.
  nonce: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '',
})

/**
 * Creates a handle on an app's login and wallet. `dialogUrl` defaults to the origin that served this module.
 *
 * Throws a `LatchkeyError` if the app id or the dialog URL is invalid.
 */
export const createLatchkey = (options: LatchkeyOptions): Latchkey =>
  openHandle({ ...options, dialogUrl: options?.dialogUrl ?? new URL(import.meta.url).origin }, loadSecondFile)
