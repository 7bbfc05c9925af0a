/**
 * Where Google sends a browser back to: a page of the wallet's origin that tells the window of this very origin which has
 * the state, over a channel that no other origin and no other browser hears. The server reads nothing of it.
 */
import { cloudCallbackPath, cloudChannel } from '@latchkey/protocol/wallet'
import { type Page, page } from '../../kernel/http/page.ts'
import { windowFile, windowHeaders, windowPage, windowPolicy } from '../../login/window/window.ts'

/** To the window that waits, and back. */
const heardWithinMs = 3_000

export const recoveryPages: readonly Page[] = [
  page({
    site: 'wallet',
    method: 'GET',
    path: cloudCallbackPath,
    openedBy: 'anybody',
    policy: windowPolicy(),
    headers: windowHeaders,
    answer: ({ c }) =>
      windowPage(c, 'answered', {
        name: 'Google Drive',
        // An answer that no window of this browser waits for.
        late: 'foreign',
        script: {
          src: '/recovery/callback.js',
          data: {
            'data-channel': cloudChannel.name,
            'data-answer': cloudChannel.answer,
            'data-heard': cloudChannel.heard,
            'data-wait-ms': String(heardWithinMs),
          },
        },
      }),
  }),
  windowFile('/recovery/callback.js', new URL('./page/', import.meta.url), 'callback.js', 'wallet'),
]
