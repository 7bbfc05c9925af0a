/** A file in the user's own cloud, from now on. */
import { dialogLimits } from '@latchkey/protocol'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import { screen } from '../../../flow/screen.ts'
import { cloudScreen } from '../screens.ts'
import type { SetRecovery } from '../setting.ts'
import { runWindow } from '../window/run-window.ts'
import { cloudFace, tellRefusal } from './cloud-face.ts'

export const setByCloud =
  (cloud: CloudRecovery): SetRecovery =>
  async (ports, card, { address, byUser, save, show, outside }) => {
    await runWindow(ports, card, {
      method: cloud,
      purpose: 'set',
      address,
      userAgent: outside.userAgent,
      face: cloudFace(card, { cloud, purpose: 'set', show, cancel: byUser?.cancel }),
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
