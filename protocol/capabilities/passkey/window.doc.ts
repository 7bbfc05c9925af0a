import type { RoutesDoc } from '../../rows/route.ts'
import type { passkeyPageRoutes, passkeyWindowRoutes } from './window.ts'

export const passkeyWindowDoc: RoutesDoc<typeof passkeyWindowRoutes & typeof passkeyPageRoutes> = {
  beginPasskeyWindow: {
    says: 'Puts what a passkey is to be asked under a handle of the dialog, for five minutes, where the browser lets no frame ask. The page of the handle may have been opened already.',
    errors: ['invalid_data'],
  },
  passkeyWindowStatus: {
    says: 'Whether the page of this handle has answered, for the browser that began and has the secret. Waits a little for it.',
    errors: ['not_found'],
  },
  takePasskeyAnswer: {
    says: 'What the page of this handle answered, once, for the browser that began and has the secret. It proves nothing by itself: it is what a login, a link or a verification then brings.',
    errors: ['not_found'],
  },
  closePasskeyWindow: {
    says: 'Nobody waits for the page of this handle any more: what is answered there comes too late.',
    errors: ['not_found'],
  },
  readPasskeyCeremony: {
    says: 'What is to be asked, for the page that has the handle. Waits a little for the call that puts it.',
    errors: ['not_found'],
  },
  answerPasskeyCeremony: {
    says: 'Keeps what the device answered to the page of this handle, or that its user wants none of it: the first answer counts.',
    errors: ['not_found', 'invalid_data'],
  },
}
