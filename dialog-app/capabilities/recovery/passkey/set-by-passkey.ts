/** A passkey of its own, from now on. */
import { dialogLimits } from '@latchkey/protocol'
import { screen } from '../../../core/screen.ts'
import { passkeyRecoveryScreen } from '../screens.ts'
import type { SetRecovery } from '../setting.ts'
import { runPasskey } from './run-passkey.ts'

export const setByPasskey: SetRecovery = async (ports, card, { byUser, save, show, outside }) => {
  const { authenticator } = outside
  await runPasskey(ports, card, { purpose: 'set', authenticator, show, cancel: byUser?.cancel, use: save })
  const nothing = () => {}
  card.restart(
    screen(
      passkeyRecoveryScreen,
      { purpose: 'set', canCancel: byUser !== undefined, step: { at: 'done' } },
      { confirm: nothing, cancel: nothing, close: byUser?.close ?? nothing },
    ),
  )
  if (!byUser) await card.hold(dialogLimits.successCloseMs)
}
