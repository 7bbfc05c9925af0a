/** The screen of a cloud: one from the question to what came of it. */
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import { failurePayload } from '../../../api/analytics.ts'
import type { FlowPorts } from '../../../contract/ports.ts'
import type { CardHandle } from '../../../flow/flow.ts'
import { screen } from '../../../flow/screen.ts'
import { cloudScreen } from '../screens.ts'
import type { WindowFace } from '../window/run-window.ts'
import type { CloudState } from './cloud-screen.tsx'
import { type CloudProblem, problemOf } from './problem.ts'

type Shown = Pick<CloudState, 'cloud' | 'purpose'> & {
  readonly show: CardHandle['go']
  /** Missing where nobody began it. */
  readonly cancel: (() => void) | undefined
}

export function cloudFace(card: CardHandle, of: Shown): WindowFace<CloudProblem> {
  const { cloud, purpose } = of
  let isShown = false
  return {
    show(step, opened) {
      const cancel = of.cancel ?? (() => {})
      const state: CloudState = { cloud, purpose, canCancel: of.cancel !== undefined, step }
      const view = screen(cloudScreen, state, { opened, cancel, close: cancel })
      if (isShown) card.update(view)
      else of.show(view)
      isShown = true
    },
    isShown: () => card.isAt(cloudScreen),
    noWindow: { 'in-app': 'in-app', 'cut-off': 'unseen' },
    problemOf,
  }
}

export const tellRefusal =
  ({ analytics }: Pick<FlowPorts, 'analytics'>, cloud: CloudRecovery) =>
  (error: unknown) =>
    analytics('recovery_oauth_error', { ...failurePayload(error), provider: cloud })
