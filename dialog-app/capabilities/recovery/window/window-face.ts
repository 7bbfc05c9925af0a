/** The screens of a password or a passkey that is given in a window. */
import { type ErrorCode, toLatchkeyError } from '@latchkey/protocol'
import type { RecoveryWindowPurpose, WindowRecovery } from '@latchkey/protocol/wallet'
import type { CardHandle } from '../../../flow/flow.ts'
import { screen } from '../../../flow/screen.ts'
import { windowScreenOf } from '../screens.ts'
import type { WindowFace } from './run-window.ts'
import type { WindowProblem } from './window-screen.tsx'

type Shown = {
  readonly method: WindowRecovery
  readonly purpose: RecoveryWindowPurpose
  readonly show: CardHandle['go']
  /** Missing where nobody began it. */
  readonly cancel: (() => void) | undefined
}

export function windowFace(card: CardHandle, of: Shown): WindowFace<WindowProblem> {
  const { method, purpose } = of
  const record = windowScreenOf(method, purpose, 'asking')
  let isShown = false
  return {
    show(step, opened) {
      // What was typed is used while its window is open, and the card says no more than that.
      if (step.at === 'working') return
      const cancel = of.cancel ?? (() => {})
      const view = screen(
        record,
        { method, purpose, canCancel: of.cancel !== undefined, step },
        { opened, cancel, close: cancel },
      )
      if (isShown) card.update(view)
      else of.show(view)
      isShown = true
    },
    isShown: () => isShown && card.isAt(record),
    noWindow: { 'in-app': 'in-app', 'cut-off': 'cut-off' },
    problemOf,
  }
}

const ofCode: { readonly [code in ErrorCode]?: WindowProblem } = {
  user_rejected_request: 'closed',
  too_many_requests: 'locked',
  embedded_wallet_recovery_already_exists: 'changedElsewhere',
}
const problemOf = (error: unknown): WindowProblem =>
  ofCode[toLatchkeyError(error, 'error', '').code] ?? 'failed'
