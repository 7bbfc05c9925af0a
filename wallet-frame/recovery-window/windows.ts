/**
 * The frame's side of the recovery windows. The dialog names the recovery method and waits. When a vault
 * needs the user's secret, the window sends it sealed to that vault.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { cloudWindowRoutes } from '@latchkey/protocol/api'
import type { Handlers, ServedBy } from '@latchkey/protocol/channel'
import {
  cloudCallbackPath,
  type OperationStep,
  type ReportedRecoveryProblem,
  recoveryPath,
  type WalletFrameCalls,
} from '@latchkey/protocol/wallet'
import { untilAborted } from '../abort.ts'
import { closedByUser, type OpenedPage, type OpenedPages } from '../pages/handshake/opened-pages.ts'
import type { RecoveryInputs } from '../recovery/recovery-method.ts'
import type { WalletPorts } from '../shares/ports.ts'
import type { PublicApi } from '../shares/transport.ts'
import {
  type FrameMessages,
  frameMessages,
  type Outcome,
  recoveryWindowContract,
  type WindowMessages,
} from './contract.ts'

type Calls = Handlers<WalletFrameCalls>
type AskData = Parameters<Calls['recovery:ask']>[0]
type WindowInput = { newPasskey?: Readonly<Record<string, unknown>> }

type RecoveryWindow = {
  asked: AskData
  page: OpenedPage<ServedBy<WindowMessages, FrameMessages>>
  /** The dialog waits for the user's input. */
  input?: PromiseWithResolvers<WindowInput> | undefined
  /** The window waits for the outcome. */
  outcome?: PromiseWithResolvers<Outcome> | undefined
}

export type RecoveryWindowPorts = Pick<WalletPorts, 'appId' | 'vault'> & {
  /** Makes the calls that need no session. */
  publicApi: PublicApi
  opened: OpenedPages
  origin: string
}

export type RecoveryWindows = {
  ask: (asked: AskData, signal: AbortSignal) => Promise<WindowInput>
  confirm: (
    asked: Parameters<Calls['recovery:confirm']>[0],
    signal: AbortSignal,
  ) => Promise<{ statement: string }>
  /** Returns the user's secret from this window, sealed to one step. */
  sealed: (
    handle: string,
    to: { vaultKey: string; operation: OperationStep },
    signal: AbortSignal,
  ) => Promise<RecoveryInputs>
  /** Returns the cloud's sign-in result of this window. */
  fromCloud: (handle: string, signal: AbortSignal) => Promise<RecoveryInputs>
  /** Reports to the window that its input was used. */
  done: (handle: string) => void
  end: (handle: string, problem?: ReportedRecoveryProblem) => void
}

export function createRecoveryWindows(ports: RecoveryWindowPorts): RecoveryWindows {
  const { appId, vault, publicApi, opened, origin } = ports
  const windows = new Map<string, RecoveryWindow>()

  function getPage(handle: string): RecoveryWindow['page'] {
    const one = windows.get(handle)
    if (one) return one.page
    throw new LatchkeyError('not_found', 'No such window is open')
  }

  function expectWindow(handle: string, asked: AskData): RecoveryWindow {
    const page = opened.expect<FrameMessages, WindowMessages>(handle, {
      path: recoveryPath(appId),
      contract: recoveryWindowContract,
      receives: frameMessages,
      handlers: {
        begin() {
          const { method, purpose, address, passkey } = one.asked
          return { method, purpose, address, ...(passkey && { passkey }) }
        },
        give(input) {
          const { input: pending } = one
          if (!pending) throw new LatchkeyError('not_found', 'The dialog does not wait for input')
          one.input = undefined
          one.outcome = Promise.withResolvers()
          pending.resolve(input)
          return one.outcome.promise
        },
        address: (holding, { signal }) => startCloudSignIn(one.asked.method, holding, signal),
        refuse({ code }) {
          one.input?.reject(new LatchkeyError(code, 'The cloud sign-in did not complete'))
          return {}
        },
      },
      onClose: () => {
        one.input?.reject(closedByUser())
        if (windows.get(handle) === one) windows.delete(handle)
        opened.forget(handle)
      },
    })
    const one: RecoveryWindow = { asked, page }
    return one
  }

  async function startCloudSignIn(
    method: AskData['method'],
    holding: { codeChallenge: string; stateCode: string },
    signal: AbortSignal,
  ): Promise<{ url: string; origin: string | null }> {
    switch (method) {
      case 'google-drive': {
        const redirectTo = origin + cloudCallbackPath
        const order = { redirectTo, ...holding }
        return { ...(await publicApi(cloudWindowRoutes.startCloudRecovery, { signal }, order)), origin: null }
      }
      case 'icloud':
        return publicApi(cloudWindowRoutes.startIcloudRecovery, { signal }, { clientType: 'web' })
      case 'user-passcode':
      case 'passkey':
        throw new LatchkeyError('invalid_request_arguments', 'This recovery method has no cloud')
      default:
        return method satisfies never
    }
  }

  function settleOutcome(one: RecoveryWindow | undefined, outcome: Outcome): boolean {
    const { outcome: pending } = one ?? {}
    if (one) one.outcome = undefined
    pending?.resolve(outcome)
    return pending !== undefined
  }

  function end(handle: string, problem?: ReportedRecoveryProblem) {
    const one = windows.get(handle)
    windows.delete(handle)
    one?.input?.reject(closedByUser())
    // A window that waits for an outcome closes itself; the channel of any other window is closed here.
    if (!settleOutcome(one, { type: 'over', problem: problem ?? { code: 'user_rejected_request' } })) {
      opened.forget(handle)
    }
  }

  return {
    async ask(asked, signal) {
      const { window: handle, problem = { code: 'error' }, passkey } = asked
      const existing = windows.get(handle)
      const one = existing ?? expectWindow(handle, asked)
      one.asked = asked
      one.input?.reject(closedByUser())
      const waiting = Promise.withResolvers<WindowInput>()
      one.input = waiting
      if (existing) {
        settleOutcome(one, { type: 'again', problem, ...(passkey && { passkey }) })
      } else {
        windows.set(handle, one)
      }
      try {
        return await untilAborted(waiting.promise, signal)
      } catch (error) {
        if (signal.aborted) end(handle)
        throw error
      }
    },

    async confirm({ window, userId, handle, digest }, signal) {
      await getPage(window).call('confirm', { digest }, { signal })
      return vault.call('approve', { appId, userId, handle, digest }, signal)
    },

    async sealed(handle, to, signal) {
      const { password, passkey } = await getPage(handle).call('seal', to, { signal })
      return {
        ...(password && { recoveryPassword: password }),
        ...(passkey && { recoveryPasskey: passkey }),
      }
    },

    async fromCloud(handle, signal) {
      return { recoveryCloud: await getPage(handle).call('fromCloud', {}, { signal }) }
    },

    done(handle) {
      const one = windows.get(handle)
      windows.delete(handle)
      settleOutcome(one, { type: 'done' })
    },

    end,
  }
}
