import { LatchkeyError, productName } from '@latchkey/protocol'
import { type CheckListener, createHandle } from '../client/handle.ts'
import { refuseAll } from '../client/refuse-all.ts'
import { holdClient } from '../client/registry.ts'
import { checkAppId, checkDialogUrl } from '../frame/dialog-address.ts'
import type { Latchkey, LatchkeyOptions } from '../types/latchkey.ts'
import type { LoadMore } from './pinned-script.ts'

/** What the newest parts of loader and dialog need: the README names the browsers that have both. */
const isNewEnough = () => 'withResolvers' in Promise && 'any' in AbortSignal

/** Of a page, as both forms of the loader have it: they differ in how the second file comes. */
export function createWith(
  loadMore: LoadMore,
  options: LatchkeyOptions & { readonly dialogUrl: string },
  checkListener?: CheckListener,
): Latchkey {
  const appId = checkAppId(options.appId)
  if (!isNewEnough()) {
    return refuseAll(appId, new LatchkeyError('not_supported', `${productName} needs a browser of 2024`))
  }
  const lease = holdClient(appId, checkDialogUrl(options.dialogUrl), loadMore)
  const handle = createHandle(appId, lease, checkListener)
  // A configuration that the dialog refuses makes the calls reject, with the path. A page that is connected already
  // hears of it in its console alone; what else fails here has no details, and is told by the next call.
  if (options.config) handle.setConfig(options.config).catch((error) => error.details && console.warn(error))
  lease.client.preload(options.preload ?? 'idle')
  return handle
}
