/**
 * Sends a request to a wallet provider, which shows it to the user in a window. The button of the card opens the window,
 * because a click on the host page does not count in this frame. If the provider accepts no token, the user connects the
 * account again first. `request-state.ts` decides the next step.
 */
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { crossAppLimits, oauthRoutes } from '@latchkey/protocol/api'
import { useState } from 'react'
import { useDialog } from '../../../app/context.ts'
import type { ScreenHandle } from '../../../app/screen.ts'
import type { CallScreens } from '../../../app/screen-stack.ts'
import { done, failed } from '../../../flow/flow.ts'
import { createMachine, type Machine } from '../../../flow/machine.ts'
import { requiresCaptcha } from '../../../host/settings.ts'
import { createWindowTries } from '../../../window-login/window-tries.ts'
import { beginAuth, type CrossAppGrant, finishOf } from '../auth.ts'
import { providerOf } from '../connections.ts'
import { inOurWords } from '../failures.ts'
import type { CrossAppParts } from '../parts.ts'
import { beginRequest, type RequestOrder } from './request.ts'
import {
  type RequestEffect,
  type RequestEvent,
  type RequestPhase,
  type RequestState,
  requestStep,
} from './request-state.ts'

export type RequestProps = {
  parts: CrossAppParts
  order: RequestOrder
  initial: RequestState
  settle: CallScreens<string>['settle']
  /** Sets the error that the caller gets if the user leaves. */
  setClosing: (error: LatchkeyError) => void
}

export function useRequest(
  { parts, order, initial, settle, setClosing }: RequestProps,
  screen: ScreenHandle<string>,
): { phase: RequestPhase; open: () => void } {
  const { handle } = useDialog()
  const [{ phase }, setState] = useState(initial)
  const [machine] = useState(createRequestMachine)
  return {
    phase,
    // A window must open within the click, so nothing is awaited before.
    open: () => machine.send({ type: 'pressed', needsPass: requiresCaptcha(parts.settings()) }),
  }

  function createRequestMachine() {
    const { api, analytics, session, tokens } = parts
    const { userId, connection } = order
    const { providerAppId, providerAppName } = connection
    const { signal } = handle
    const whose = { userId, provider: providerOf(providerAppId) }

    const requests = createWindowTries<string>(handle, {
      show: (window) => created.send({ type: 'window shown', window }),
      granted: (result) => created.send({ type: 'granted', result }),
      failed(error) {
        requests.stop()
        created.send({ type: 'refused', error: toWindowError(error) })
      },
    })

    const connections = createWindowTries<CrossAppGrant>(handle, {
      show: (window) => created.send({ type: 'window shown', window }),
      granted: (grant) => created.send({ type: 'connection granted', grant }),
      failed(error) {
        connections.stop()
        created.send({ type: 'not connected', error: toWindowError(error) })
      },
    })

    const created: Machine<RequestState, RequestEvent> = createMachine<
      RequestState,
      RequestEvent,
      RequestEffect
    >({
      initial,
      step: requestStep,
      draw(state) {
        setClosing(state.closing)
        setState(state)
      },
      signal,
      crashed: screen.reject,
      effects: {
        'open request': () => requests.open(() => beginRequest(parts, order, signal)),
        'open connection': ({ pass }) =>
          connections.open(() => beginAuth(parts, parts.browser(), connection, pass, signal)),
        // If the user cancels the captcha, the next press shows it again.
        'ask for pass': async () => ({
          type: 'passed',
          pass: await parts.captchaPass(handle).catch(() => undefined),
        }),
        connect: ({ grant }) => connect(grant),
        track: ({ event, code }) => analytics(event, { provider: providerAppId, ...(code && { code }) }),
        async succeed({ result }) {
          settle(done(result))
          await handle.hold(crossAppLimits.successCloseMs)
          screen.resolve(result)
        },
        settle: ({ error }) => settle(failed(error)),
        reject: ({ error }) => screen.reject(error),
      },
    })

    async function connect(grant: CrossAppGrant): Promise<RequestEvent> {
      try {
        const body = await finishOf(grant, connection, parts.nowMs)
        const { oauthTokens, ...user } = await api.call(oauthRoutes.linkOAuth, body, { signal })
        if (oauthTokens) await tokens.keep(whose, grant.keys, oauthTokens)
        session.replaceUser(user)
      } catch (cause) {
        const failure = inOurWords(cause, providerAppName)
        const error =
          failure instanceof LatchkeyError
            ? failure
            : new LatchkeyError('failed_to_link_account', 'The account could not be connected', { cause })
        return { type: 'not connected', error }
      }
      return { type: 'connected', hasToken: await tokens.has(whose) }
    }

    return created
  }
}

const toWindowError = (error: unknown) => toLatchkeyError(error, 'unable_to_sign', 'Something went wrong')
