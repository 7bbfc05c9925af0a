/**
 * The frame's side of the windows in which users give what keeps their wallets: the dialog says what is asked for and
 * waits, and when a vault needs what was given, it comes from the window, sealed to that vault.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { cloudWindowRoutes } from '@latchkey/protocol/api'
import type { Channel, Handlers, openChannel, ServedBy } from '@latchkey/protocol/channel'
import {
  cloudCallbackPath,
  type OperationStep,
  type ReportedRecoveryProblem,
  recoveryPath,
  type WalletFrameCalls,
} from '@latchkey/protocol/wallet'
import { untilAborted } from '../abort.ts'
import { closedByUser, rejectIfClosed } from '../pages/handshake/closed-window.ts'
import type { OpenedPages } from '../pages/handshake/opened-pages.ts'
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
type Asked = Parameters<Calls['recovery:ask']>[0]
type Given = { newPasskey?: Readonly<Record<string, unknown>> }

type Opened = {
  asked: Asked
  channel?: Channel<ServedBy<WindowMessages, FrameMessages>>
  /** The dialog waits for what is given. */
  waiting?: PromiseWithResolvers<Given> | undefined
  /** The window waits for what came of it. */
  given?: PromiseWithResolvers<Outcome> | undefined
}

export type RecoveryWindowPorts = Pick<WalletPorts, 'appId' | 'vault'> & {
  /** Makes the calls that need no session. */
  publicApi: PublicApi
  openChannel: typeof openChannel
  opened: OpenedPages
  origin: string
}

export type RecoveryWindows = {
  ask: (asked: Asked, signal: AbortSignal) => Promise<Given>
  confirm: (
    asked: Parameters<Calls['recovery:confirm']>[0],
    signal: AbortSignal,
  ) => Promise<{ statement: string }>
  /** Gives the user's secret from this window, sealed to one step. */
  sealed: (
    handle: string,
    to: { vaultKey: string; operation: OperationStep },
    signal: AbortSignal,
  ) => Promise<RecoveryInputs>
  /** Gives the answer that a cloud sent to this window. */
  fromCloud: (handle: string, signal: AbortSignal) => Promise<RecoveryInputs>
  /** Tells the window that the secret was used and the wallet is there. */
  done: (handle: string) => void
  end: (handle: string, problem?: ReportedRecoveryProblem) => void
}

export function createRecoveryWindows(ports: RecoveryWindowPorts): RecoveryWindows {
  const { appId, vault, publicApi, openChannel, opened, origin } = ports
  const windows = new Map<string, Opened>()

  function present(handle: string): Opened & { channel: NonNullable<Opened['channel']> } {
    const found = windows.get(handle)
    if (found?.channel) return { ...found, channel: found.channel }
    throw new LatchkeyError('not_found', 'No such window is open')
  }

  function listen(handle: string, one: Opened) {
    opened.expect(handle, recoveryPath(appId), (window) => {
      const channel = openChannel<FrameMessages, WindowMessages>({
        contract: recoveryWindowContract,
        side: 'parent',
        receives: frameMessages,
        target: { window, origin },
        handlers: {
          begin() {
            const { method, purpose, address, passkey } = one.asked
            return { method, purpose, address, ...(passkey && { passkey }) }
          },
          give(given) {
            const { waiting } = one
            if (!waiting) throw new LatchkeyError('not_found', 'Nobody waits for this')
            one.waiting = undefined
            one.given = Promise.withResolvers()
            waiting.resolve(given)
            return one.given.promise
          },
          address: (holding, { signal }) => addressOf(one.asked.method, holding, signal),
          refuse({ code }) {
            one.waiting?.reject(new LatchkeyError(code, 'The cloud gave nothing'))
            return {}
          },
        },
        // The user has closed it, or it went elsewhere.
        onClose: () => {
          one.waiting?.reject(closedByUser())
          if (windows.get(handle) === one) windows.delete(handle)
          opened.forget(handle)
        },
      })
      one.channel = channel
      return channel
    })
  }

  async function addressOf(
    method: Asked['method'],
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
        throw new LatchkeyError('invalid_request_arguments', 'This is given in no cloud')
      default:
        return method satisfies never
    }
  }

  function tell(one: Opened | undefined, outcome: Outcome): boolean {
    const { given } = one ?? {}
    if (one) one.given = undefined
    given?.resolve(outcome)
    return given !== undefined
  }

  function end(handle: string, problem?: ReportedRecoveryProblem) {
    const one = windows.get(handle)
    windows.delete(handle)
    one?.waiting?.reject(closedByUser())
    // A window that hears what came of it goes by itself; any other one hears that nobody is here any more.
    if (!tell(one, { type: 'over', problem: problem ?? { code: 'user_rejected_request' } })) {
      opened.forget(handle)
    }
  }

  return {
    async ask(asked, signal) {
      const { window: handle, problem = { code: 'error' }, passkey } = asked
      const before = windows.get(handle)
      const one: Opened = before ?? { asked }
      one.asked = asked
      one.waiting?.reject(closedByUser())
      const waiting = Promise.withResolvers<Given>()
      one.waiting = waiting
      if (before) {
        tell(one, { type: 'again', problem, ...(passkey && { passkey }) })
      } else {
        windows.set(handle, one)
        listen(handle, one)
      }
      try {
        return await untilAborted(waiting.promise, signal)
      } catch (error) {
        if (signal.aborted) end(handle)
        throw error
      }
    },

    async confirm({ window, userId, handle, digest }, signal) {
      await rejectIfClosed(present(window).channel.call('confirm', { digest }, { signal }))
      return vault.call('approve', { appId, userId, handle, digest }, signal)
    },

    async sealed(handle, to, signal) {
      const { password, passkey } = await rejectIfClosed(present(handle).channel.call('seal', to, { signal }))
      return {
        ...(password && { recoveryPassword: password }),
        ...(passkey && { recoveryPasskey: passkey }),
      }
    },

    async fromCloud(handle, signal) {
      return {
        recoveryCloud: await rejectIfClosed(present(handle).channel.call('fromCloud', {}, { signal })),
      }
    },

    done(handle) {
      const one = windows.get(handle)
      windows.delete(handle)
      tell(one, { type: 'done' })
    },

    end,
  }
}
