/** A password or a passkey keeps the wallet: its user gives it in a window of the wallet's origin. */
import { dialogLimits, type ErrorCode, toLatchkeyError } from '@latchkey/protocol'
import type { RecoveryWindowPurpose, WindowRecovery } from '@latchkey/protocol/wallet'
import type { DialogServices } from '../../../app/services.ts'
import { screen } from '../../../flow/screen.ts'
import { RecoveryFailure } from '../../../wallet/recovery-failure.ts'
import type { Remedy } from '../../../wallet/wallet-obstacles.ts'
import { recoverFrom } from '../by-user.ts'
import { windowScreenOf } from '../screens.ts'
import type { SetRecovery } from '../setting.ts'
import { runWindow, type WindowFace } from './run-window.ts'
import type { WindowProblem } from './window-screen.tsx'

type Ports = Pick<DialogServices, 'wallet' | 'session' | 'analytics' | 'api' | 'clock' | 'settings'>

/** A browser without a share of the wallet gets one with what its user gives. */
export const recoverByWindow = (ports: Ports, method: WindowRecovery, userAgent?: string): Remedy =>
  recoverFrom(ports, method, (handle, use, { address }) =>
    runWindow(ports, handle, {
      method,
      purpose: 'recover',
      address: () => address,
      userAgent,
      face: windowFace(method, 'recover', undefined),
      show: handle.replace,
      use,
    }),
  )

export const setByWindow =
  (method: WindowRecovery): SetRecovery =>
  async (ports, card, { present, address, byUser, save, show, outside }) => {
    const purpose = present === method && method === 'user-passcode' ? 'update' : 'set'
    await runWindow(ports, card, {
      method,
      purpose,
      address,
      userAgent: outside.userAgent,
      face: windowFace(method, purpose, byUser?.cancel),
      show,
      async use(own) {
        try {
          await save(own)
        } catch (error) {
          if (method === 'user-passcode') ports.analytics('embedded_wallet_set_password_failed')
          throw error
        }
      },
    })
    const nothing = () => {}
    card.restart(
      screen(
        windowScreenOf(method, purpose, 'done'),
        { method, purpose, canCancel: byUser !== undefined, step: { at: 'done' } },
        { opened: nothing, cancel: nothing, close: byUser?.close ?? nothing },
      ),
    )
    if (!byUser) await card.hold(dialogLimits.successCloseMs)
  }

/** `cancel` is missing where nobody began it. */
function windowFace(
  method: WindowRecovery,
  purpose: RecoveryWindowPurpose,
  cancel: (() => void) | undefined,
): WindowFace<WindowProblem> {
  const record = windowScreenOf(method, purpose, 'asking')
  const leave = cancel ?? (() => {})
  return {
    record,
    screenOf: (step, opened) =>
      // What was typed is used while its window is open, and the card says no more than that.
      step.at === 'working'
        ? undefined
        : screen(
            record,
            { method, purpose, canCancel: cancel !== undefined, step },
            { opened, cancel: leave, close: leave },
          ),
    noWindow: { 'in-app': 'in-app', 'cut-off': 'cut-off' },
    problemOf,
  }
}

const ofCode: { [code in ErrorCode]?: WindowProblem } = {
  user_rejected_request: 'closed',
  too_many_requests: 'locked',
  embedded_wallet_recovery_already_exists: 'changedElsewhere',
}
const problemOf = (error: unknown): WindowProblem =>
  (error instanceof RecoveryFailure ? 'unable' : undefined) ??
  ofCode[toLatchkeyError(error, 'error', '').code] ??
  'failed'
