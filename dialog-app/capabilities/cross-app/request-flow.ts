/**
 * Has the provider of a wallet ask its user. The card says who will ask, and its button opens the window: a click in the
 * host's page does not count in this frame. Where the provider takes no token any more, the card connects anew first.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { crossAppLimits, oauthRoutes } from '@latchkey/protocol/api'
import type { CaptchaPass } from '../../contract/captcha-pass.ts'
import { rowFor } from '../../contract/error-table.ts'
import { done, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { beginAuth, type CrossAppGrant, finishOf } from './auth.ts'
import { providerOf } from './connections.ts'
import { failures, inOurWords } from './failures.ts'
import type { CrossAppParts } from './parts.ts'
import { providerAppOf } from './provider-app.ts'
import { beginRequest, type RequestOrder, rejected } from './request.ts'
import type { RequestState, RequestStep } from './request-screen.tsx'
import { requestScreen } from './screens.ts'
import { english } from './texts.arb'
import { noToken } from './tokens.ts'
import { createTries } from './tries.ts'

const kinds = {
  personal_sign: 'message',
  eth_signTypedData_v4: 'typed-data',
  eth_sendTransaction: 'transaction',
} as const satisfies Record<string, RequestState['what']>

export function createRequestFlow(
  parts: CrossAppParts,
  order: RequestOrder,
  handle: FlowHandle<string>,
): RunningFlow<string> {
  const { api, analytics, session, tokens } = parts
  const { userId, connection, asked } = order
  const { providerAppId, providerAppName } = connection
  const whose = { userId, provider: providerOf(providerAppId) }
  const shown = {
    app: providerAppOf(connection),
    address: asked.address,
    what: kinds[asked.request.method],
  }
  /** What the caller gets where the user leaves now. */
  let closing: LatchkeyError = rejected()
  /** What the button of the card opens. */
  let opens: 'request' | 'connection' = 'request'
  /** For one try to connect, where the app asks for a captcha. */
  let pass: CaptchaPass | undefined

  function show(step: RequestStep) {
    const view = screen(requestScreen, { ...shown, ...step }, { open, leave: () => handle.end() })
    if (handle.isAt(requestScreen)) handle.update(view)
    else handle.replace(view)
  }

  /** In the click. */
  function open() {
    if (opens === 'request') requests.open()
    else if (parts.settings().app.captchaEnabled && pass === undefined) void askForPass()
    else connections.open()
  }

  /** A captcha takes the click with it, so the window opens at the next one. */
  async function askForPass() {
    try {
      pass = await parts.captchaPass(handle)
    } catch {
      // Whoever left it is asked again by the next press.
    }
    if (!handle.signal.aborted) show({ status: 'lost' })
  }

  const requests = createTries<string>(handle, {
    begin() {
      closing = rejected()
      return beginRequest(parts, order, handle.signal)
    },
    show: (window) => show({ status: 'waiting', ...window }),
    granted(result) {
      analytics('cross_app_request_success', { provider: providerAppId })
      handle.settle(done(result))
      show({ status: 'success' })
      void handle.hold(crossAppLimits.successCloseMs).then(() => handle.end())
    },
    failed(error) {
      analytics('cross_app_request_error', { provider: providerAppId, code: error.code })
      closing = error
      switch (error.code) {
        case 'user_rejected_request':
          return handle.end(failed(error))
        case 'missing_or_invalid_token':
          return connectAgain()
        case 'client_request_timeout':
          // Its caller waits no longer; its user reads why.
          handle.settle(failed(error))
          return show({ status: 'failed', text: { of: 'request', text: 'timeout' }, isRetryable: false })
        default: {
          const text = error.message === english.problems.notStarted ? 'notStarted' : 'failed'
          return show({ status: 'failed', text: { of: 'request', text }, isRetryable: true })
        }
      }
    },
  })

  function connectAgain() {
    closing = noToken()
    opens = 'connection'
    show({ status: 'lost' })
  }

  const connections = createTries<CrossAppGrant>(handle, {
    begin() {
      const own = pass
      pass = undefined
      return beginAuth(parts, parts.browser(), connection, own, handle.signal)
    },
    show: (window) => show({ status: 'waiting', ...window }),
    granted: (grant) => void connect(grant),
    failed: failConnection,
  })

  function failConnection(error: LatchkeyError) {
    analytics('cross_app_auth_error', { provider: providerAppId, code: error.code })
    const { text } = rowFor(failures, error.code)
    show({ status: 'failed', text: { of: 'auth', text }, isRetryable: true })
  }

  async function connect(grant: CrossAppGrant) {
    show({ status: 'connecting' })
    try {
      const body = await finishOf(grant, connection, parts.nowMs)
      const { oauthTokens, ...user } = await api.call(oauthRoutes.linkOAuth, body, { signal: handle.signal })
      if (oauthTokens) await tokens.keep(whose, grant.keys, oauthTokens)
      session.replaceUser(user)
    } catch (error) {
      const told = inOurWords(error, providerAppName)
      if (handle.signal.aborted) return
      return failConnection(
        told instanceof LatchkeyError
          ? told
          : new LatchkeyError('failed_to_link_account', 'The account could not be connected', {
              cause: error,
            }),
      )
    }
    analytics('cross_app_auth_completed', { provider: providerAppId })
    if (!(await tokens.has(whose))) return connectAgain()
    opens = 'request'
    closing = rejected()
    show({ status: 'ready' })
  }

  return {
    kind: 'approval',
    async run() {
      const isConnected = await tokens.has(whose)
      analytics('cross_app_request_started', { provider: providerAppId })
      if (isConnected) show({ status: 'ready' })
      else connectAgain()
    },
    onClose: () => failed(closing),
  }
}
