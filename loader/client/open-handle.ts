import { LatchkeyError, productName } from '@latchkey/protocol'
import type { Latchkey } from '../calls/latchkey.ts'
import { checkAppId, checkDialogUrl } from '../frame/dialog-address.ts'
import type { LatchkeyOptions } from '../types/options.ts'
import { type CheckListener, createHandle, refuseAll } from './handle.ts'
import { holdClient } from './registry.ts'
import type { LoadSecondFile } from './second-file.ts'

/**
 * Returns whether the browser has the newest APIs that loader and dialog use. The README lists these browsers.
 */
const isNewEnough = () => 'withResolvers' in Promise && 'any' in AbortSignal

/** Returns a handle on the app's client, creating the client if the page has none. */
export function openHandle(
  options: LatchkeyOptions & { dialogUrl: string },
  loadSecondFile: LoadSecondFile,
  checkListener?: CheckListener,
): Latchkey {
  const appId = checkAppId(options.appId)
  if (!isNewEnough()) {
    return refuseAll(appId, new LatchkeyError('not_supported', `${productName} needs a browser of 2024`))
  }
  const lease = holdClient(appId, checkDialogUrl(options.dialogUrl), loadSecondFile)
  const handle = createHandle(appId, lease, checkListener)
  if (options.auth) lease.client.follow?.(options.auth)
  // A configuration that the dialog refuses makes every call reject, with the path. On a connected page this
  // warning is the only notice. Errors without details are reported by the next call.
  if (options.config) handle.setConfig(options.config).catch((error) => error.details && console.warn(error))
  lease.client.preload(options.preload ?? 'idle')
  return handle
}
