/** A file in the user's own cloud, from now on. */
import { dialogLimits } from '@latchkey/protocol'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import { screen } from '../../../core/screen.ts'
import { cloudScreen } from '../screens.ts'
import type { SetRecovery } from '../setting.ts'
import { runCloud } from './run-cloud.ts'

export const setByCloud =
  (cloud: CloudRecovery): SetRecovery =>
  async (ports, card, { byUser, save, show, outside }) => {
    const close = byUser?.close
    await runCloud(ports, card, {
      cloud,
      purpose: 'set',
      browser: outside.browser,
      show,
      cancel: byUser?.cancel,
      close,
      use: save,
    })
    const canCancel = byUser !== undefined
    const nothing = () => {}
    card.restart(
      screen(
        cloudScreen,
        { cloud, purpose: 'set', canCancel, step: { at: 'done' } },
        { open: nothing, cancel: nothing, close: close ?? nothing },
      ),
    )
    if (!byUser) await card.hold(dialogLimits.successCloseMs)
  }
