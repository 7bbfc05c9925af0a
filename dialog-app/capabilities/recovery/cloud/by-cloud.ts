/** A file in the user's own cloud keeps the wallet: they sign in to the cloud in a window of the wallet's origin. */
import { dialogLimits } from '@latchkey/protocol'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import { failurePayload } from '../../../api/analytics.ts'
import type { DialogServices } from '../../../app/services.ts'
import { screen } from '../../../flow/screen.ts'
import type { Remedy } from '../../../wallet/wallet-obstacles.ts'
import { recoverFrom } from '../by-user.ts'
import { cloudScreen } from '../screens.ts'
import type { SetRecovery } from '../setting.ts'
import { runWindow, type WindowFace } from '../window/run-window.ts'
import type { CloudState } from './cloud-screen.tsx'
import { type CloudProblem, problemOf } from './problem.ts'

type Ports = Pick<DialogServices, 'wallet' | 'session' | 'analytics' | 'api' | 'clock' | 'settings'>

/** A browser without a share of the wallet gets one with the file in the cloud. */
export const recoverByCloud = (ports: Ports, cloud: CloudRecovery, userAgent?: string): Remedy =>
  recoverFrom(ports, cloud, (handle, use, { address }) =>
    runWindow(ports, handle, {
      method: cloud,
      purpose: 'recover',
      address: () => address,
      userAgent,
      face: cloudFace(cloud, 'recover', undefined),
      show: handle.replace,
      onRefused: tellRefusal(ports, cloud),
      use,
    }),
  )

export const setByCloud =
  (cloud: CloudRecovery): SetRecovery =>
  async (ports, card, { address, byUser, save, show, outside }) => {
    await runWindow(ports, card, {
      method: cloud,
      purpose: 'set',
      address,
      userAgent: outside.userAgent,
      face: cloudFace(cloud, 'set', byUser?.cancel),
      show,
      onRefused: tellRefusal(ports, cloud),
      use: save,
    })
    const nothing = () => {}
    card.restart(
      screen(
        cloudScreen,
        { cloud, purpose: 'set', canCancel: byUser !== undefined, step: { at: 'done' } },
        { opened: nothing, cancel: nothing, close: byUser?.close ?? nothing },
      ),
    )
    if (!byUser) await card.hold(dialogLimits.successCloseMs)
  }

/** One screen goes from the question to what came of it. `cancel` is missing where nobody began it. */
function cloudFace(
  cloud: CloudRecovery,
  purpose: CloudState['purpose'],
  cancel: (() => void) | undefined,
): WindowFace<CloudProblem> {
  const leave = cancel ?? (() => {})
  return {
    record: cloudScreen,
    screenOf: (step, opened) =>
      screen(
        cloudScreen,
        { cloud, purpose, canCancel: cancel !== undefined, step },
        { opened, cancel: leave, close: leave },
      ),
    noWindow: { 'in-app': 'in-app', 'cut-off': 'unseen' },
    problemOf,
  }
}

const tellRefusal =
  ({ analytics }: Pick<DialogServices, 'analytics'>, cloud: CloudRecovery) =>
  (error: unknown) =>
    analytics('recovery_oauth_error', { ...failurePayload(error), provider: cloud })
