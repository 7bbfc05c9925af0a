/** A password or a passkey, from now on. */
import { dialogLimits } from '@latchkey/protocol'
import type { WindowRecovery } from '@latchkey/protocol/wallet'
import { screen } from '../../../flow/screen.ts'
import { windowScreenOf } from '../screens.ts'
import type { SetRecovery } from '../setting.ts'
import { runWindow } from './run-window.ts'
import { windowFace } from './window-face.ts'

export const setByWindow =
  (method: WindowRecovery): SetRecovery =>
  async (ports, card, { present, address, byUser, save, show, outside }) => {
    const purpose = present === method && method === 'user-passcode' ? 'update' : 'set'
    await runWindow(ports, card, {
      method,
      purpose,
      address,
      userAgent: outside.userAgent,
      face: windowFace(card, { method, purpose, show, cancel: byUser?.cancel }),
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
