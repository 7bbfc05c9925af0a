/** Sets and uses a password or a passkey as the recovery method. */
import { dialogLimits } from '@latchkey/protocol'
import type { WindowRecovery } from '@latchkey/protocol/wallet'
import { openOnCard } from '../../../app/screen-stack.ts'
import type { DialogServices } from '../../../app/services.ts'
import type { Remedy } from '../../../wallet/wallet-obstacles.ts'
import { recoverFrom } from '../by-user.ts'
import { methodSetScreens, windowScreens } from '../screens.ts'
import type { SetRecovery } from '../setting.ts'

/** Gives a browser without a share of the wallet one, from the user's secret. */
export const recoverByWindow = (
  services: DialogServices,
  method: WindowRecovery,
  userAgent?: string,
): Remedy =>
  recoverFrom(services, method, async ({ open }, use, { address }) => {
    const windows = await services.wallet.recoveryWindows()
    await open(windowScreens[method].recover, {
      recovery: { method, purpose: 'recover', windows, address: () => address, userAgent, use },
      onCancel: undefined,
    })
  })

export const setByWindow =
  (method: WindowRecovery): SetRecovery =>
  async (services, card, { present, address, leave, save, outside }, openFirst) => {
    const { wallet, analytics } = services
    const isPassword = method === 'user-passcode'
    const purpose = isPassword && present === method ? 'update' : 'set'
    const windows = await wallet.recoveryWindows()
    await openFirst(services, card, windowScreens[method][purpose], {
      recovery: {
        method,
        purpose,
        windows,
        address,
        userAgent: outside.userAgent,
        async use(own) {
          try {
            await save(own)
          } catch (error) {
            if (isPassword) analytics('embedded_wallet_set_password_failed')
            throw error
          }
        },
      },
      onCancel: leave,
    })
    const first = { ...card, replace: card.restart }
    void openOnCard(services, first, methodSetScreens[method][purpose], { method, onClose: leave })
    if (!leave) await card.hold(dialogLimits.successCloseMs)
  }
