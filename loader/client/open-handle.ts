import { LatchkeyError, productName } from '@latchkey/protocol'
import type { Latchkey } from '../calls/latchkey.ts'
import { checkAppId, checkDialogUrl } from '../frame/dialog-address.ts'
import type { LatchkeyOptions } from '../types/options.ts'
import { type CheckListener, createHandle, refuseAll } from './handle.ts'
import { holdClient } from './registry.ts'
import type { LoadSecondFile } from './second-file.ts'

/** What the newest parts of loader and dialog need: the README names the browsers that have both. */
const isNewEnough = () => 'withResolvers' in Promise && 'any' in AbortSignal

/** The client that the app has on this page, or a new one, and a handle on it. */
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
  // A configuration that the dialog refuses makes the calls reject, with the path. A page that is connected already
  // hears of it in its console alone; what else fails here has no details, and is told by the next call.
  if (options.config) handle.setConfig(options.config).catch((error) => error.details && console.warn(error))
  lease.client.preload(options.preload ?? 'idle')
  return handle
}
