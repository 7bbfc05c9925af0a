/**
 * How a cloud is opened: its own sign-in, in a window. What that window needs is fetched before it is opened, so that
 * the press opens it without waiting for anything.
 */
import { isOnHostOf, LatchkeyError, oauthLimits } from '@latchkey/protocol'
import { cloudWindowRoutes } from '@latchkey/protocol/api'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { FlowPorts } from '../../../core/ports.ts'
import { within } from '../../../waiting.ts'
import type { OwnRecovery } from '../../../wallet/own-recovery.ts'
import { type Attempt, beginAttempt } from '../../../window-login/attempt.ts'
import type { WindowBrowser } from '../../../window-login/browser.ts'

type Ports = Pick<FlowPorts, 'api' | 'clock' | 'settings'>
/** Called in the click. */
export type OpenWindow = (signal: AbortSignal) => Attempt<OwnRecovery>
type PrepareWindow = (ports: Ports, browser: WindowBrowser, signal: AbortSignal) => Promise<OpenWindow>

export const cloudWindows: { readonly [cloud in CloudRecovery]: PrepareWindow } = {
  'google-drive':
    async ({ api, clock, settings }, browser) =>
    (signal) =>
      beginAttempt(
        { clock, settings, browser, purpose: 'recovery', signal },
        async ({ begin, result, asker }) => {
          const [stateCode, codeVerifier] = [browser.secret(), browser.secret()]
          const order = {
            redirectTo: `${browser.origin}/apps/${settings().app.id}/dialog`,
            codeChallenge: await browser.challengeOf(codeVerifier),
            stateCode,
          }
          await begin((relay) => api.call(cloudWindowRoutes.startCloudRecovery, { ...order, relay }, asker))
          const said = await result((key) => api.call(cloudWindowRoutes.cloudRecoveryResult, key, asker))
          if (said.status === 'failed') throw new LatchkeyError(said.error, 'Google did not confirm it')
          if (said.stateCode !== stateCode) {
            throw new LatchkeyError('pkce_state_code_mismatch', 'This answer is of another window')
          }
          const { authorizationCode } = said
          return { method: 'google-drive', code: { authorizationCode, stateCode, codeVerifier } }
        },
      ),

  icloud: async ({ api, clock, settings }, browser, preparing) => {
    const { url } = await api.call(
      cloudWindowRoutes.startIcloudRecovery,
      { clientType: 'web' },
      { signal: preparing },
    )
    const { addresses, ownOrigins } = settings()
    if (isOnHostOf(url, ownOrigins)) throw new LatchkeyError('oauth_unexpected', 'Apple names a page of ours')
    const { icloudWindow: origin } = addresses
    return (signal) => {
      const window = browser.open(url)
      const stopping = new AbortController()
      const over = AbortSignal.any([signal, stopping.signal])
      over.addEventListener('abort', () => window?.close(), { once: true })
      const said = new Promise<OwnRecovery>((resolve, reject) => {
        // Apple tells nobody but the window that opened its page, and nobody else opens another one for it.
        if (!window) reject(new LatchkeyError('not_supported', 'Nothing can be heard of this window'))
        window?.listen((data, from) => {
          const heard = v.safeParse(messageSchema, data)
          if (heard.success && from === origin) resolve({ method: 'icloud', session: heard.output.ckSession })
        }, over)
      })
      return {
        granted: within(clock, oauthLimits.windowMs, said, tooLate).finally(() => stopping.abort()),
        isWindowClosed: () => window?.isClosed(),
        isOver: () => over.aborted,
        stop: () => stopping.abort(),
      }
    }
  },
}

const messageSchema = v.object({ ckSession: v.pipe(v.string(), v.nonEmpty()) })

const tooLate = () => new LatchkeyError('client_request_timeout', 'The cloud did not answer in time')
