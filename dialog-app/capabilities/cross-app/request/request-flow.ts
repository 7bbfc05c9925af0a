/**
 * This flow has the provider of a wallet ask its user. The card says who will ask, and its button opens the window: a click in the
 * host's page does not count in this frame. Where the provider takes no token any more, the card connects anew first.
 * `request-state.ts` decides what comes next; this does it.
 */
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { crossAppLimits, oauthRoutes } from '@latchkey/protocol/api'
import { type FlowHandle, failed, type RunningFlow } from '../../../flow/flow.ts'
import { createMachine, partOf } from '../../../flow/machine.ts'
import { screen } from '../../../flow/screen.ts'
import { requiresCaptcha } from '../../../host/settings.ts'
import { createWindowTries } from '../../../window-login/window-tries.ts'
import { beginAuth, type CrossAppGrant, finishOf } from '../auth.ts'
import { providerOf } from '../connections.ts'
import { inOurWords } from '../failures.ts'
import type { CrossAppParts } from '../parts.ts'
import { providerAppOf } from '../provider/provider-app.ts'
import type { RequestState, RequestStep } from '../screens/request-screen.tsx'
import { requestScreen } from '../screens.ts'
import { beginRequest, type RequestOrder } from './request.ts'
import {
  type RequestState as MachineState,
  type RequestEffect,
  type RequestEvent,
  type RequestPhase,
  requestStep,
  unasked,
} from './request-state.ts'

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
  const subject = {
    app: providerAppOf(connection),
    address: asked.address,
    what: kinds[asked.request.method],
  }

  const machine = createMachine<MachineState, RequestEvent, RequestEffect>({
    initial: unasked(),
    step: requestStep,
    draw,
    ...partOf(handle),
    effects: {
      async check() {
        const isConnected = await tokens.has(whose)
        analytics('cross_app_request_started', { provider: providerAppId })
        return { type: 'checked', isConnected }
      },
      'open request': () => requests.open(() => beginRequest(parts, order, handle.signal)),
      'open connection': ({ pass }) =>
        connections.open(() => beginAuth(parts, parts.browser(), connection, pass, handle.signal)),
      // Whoever left it is asked again by the next press.
      'ask for pass': async () => ({
        type: 'passed',
        pass: await parts.captchaPass(handle).catch(() => undefined),
      }),
      connect: ({ grant }) => connect(grant),
      track: ({ event, code }) => analytics(event, { provider: providerAppId, ...(code && { code }) }),
      hold: () => handle.hold(crossAppLimits.successCloseMs).then(() => handle.end()),
      settle: ({ ending }) => handle.settle(ending),
      end: ({ ending }) => handle.end(ending),
    },
  })

  function draw({ phase }: MachineState) {
    const step = stepOf(phase)
    if (!step) return
    // A window opens in the click, so nothing is awaited before.
    const open = () => machine.send({ type: 'pressed', needsPass: requiresCaptcha(parts.settings()) })
    const view = screen(requestScreen, { ...subject, ...step }, { open, leave: () => handle.end() })
    if (handle.isAt(requestScreen)) handle.update(view)
    else handle.replace(view)
  }

  const requests = createWindowTries<string>(handle, {
    show: (window) => machine.send({ type: 'window shown', window }),
    granted: (result) => machine.send({ type: 'granted', result }),
    failed(error) {
      requests.stop()
      machine.send({ type: 'refused', error: toWindowError(error) })
    },
  })

  const connections = createWindowTries<CrossAppGrant>(handle, {
    show: (window) => machine.send({ type: 'window shown', window }),
    granted: (grant) => machine.send({ type: 'connection granted', grant }),
    failed(error) {
      connections.stop()
      machine.send({ type: 'not connected', error: toWindowError(error) })
    },
  })

  async function connect(grant: CrossAppGrant): Promise<RequestEvent> {
    try {
      const body = await finishOf(grant, connection, parts.nowMs)
      const { oauthTokens, ...user } = await api.call(oauthRoutes.linkOAuth, body, { signal: handle.signal })
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

  return {
    kind: 'approval',
    run: () => machine.send({ type: 'begin' }),
    onClose: () => failed(machine.state().closing),
  }
}

const toWindowError = (error: unknown) => toLatchkeyError(error, 'unable_to_sign', 'Something went wrong')

function stepOf(phase: RequestPhase): RequestStep | undefined {
  switch (phase.at) {
    case 'beginning':
      return undefined
    case 'ready':
    case 'lost':
    case 'connecting':
      return { status: phase.at }
    case 'waiting': {
      const { at: status, ...window } = phase
      return { status, ...window }
    }
    case 'failed': {
      const { at: status, ...failure } = phase
      return { status, ...failure }
    }
    case 'granted':
      return { status: 'success' }
    default:
      return phase satisfies never
  }
}
