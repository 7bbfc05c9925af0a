import { LatchkeyError, product } from '@latchkey/protocol'
import { checkAppId, checkDialogUrl } from './dialog-address.ts'
import { createHandle } from './handle.ts'
import type { Latchkey, LatchkeyOptions } from './latchkey.ts'
import { refuseAll } from './refuse-all.ts'
import { holdClient, knownDialogUrl } from './registry.ts'

/**
 * Gives a handle on the login and wallet of an app. Call it as often as you like: handles of one app share one
 * frame. Throws a `LatchkeyError` when the app id or the address cannot be one. Outside a browser it does nothing,
 * and its calls reject with `not_supported`.
 */
export function createLatchkey(options: LatchkeyOptions): Latchkey {
  const appId = checkAppId(options.appId)
  if (typeof document === 'undefined') {
    return refuseAll(appId, new LatchkeyError('not_supported', `${product.name} runs in a browser only`))
  }
  const lease = holdClient(appId, checkDialogUrl(options.dialogUrl ?? knownDialogUrl(appId)))
  const handle = createHandle(appId, lease)
  // A configuration that the dialog refuses makes the calls reject, with the path.
  if (options.config) handle.setConfig(options.config).catch(() => {})
  lease.client.preload(options.preload ?? 'idle')
  return handle
}
