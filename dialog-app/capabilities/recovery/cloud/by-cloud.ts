/** Sets and uses a file in the user's cloud as the recovery method. The user signs in to the cloud in a wallet window. */
import { dialogLimits } from '@latchkey/protocol'
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import { failurePayload } from '../../../api/analytics.ts'
import { openOnCard } from '../../../app/screen-stack.ts'
import type { DialogServices } from '../../../app/services.ts'
import type { Remedy } from '../../../wallet/wallet-obstacles.ts'
import { recoverFrom } from '../by-user.ts'
import { cloudScreen, cloudSetScreen } from '../screens.ts'
import type { SetRecovery } from '../setting.ts'

/** Gives a browser without a share of the wallet one, from the file in the cloud. */
export const recoverByCloud = (services: DialogServices, cloud: CloudRecovery, userAgent?: string): Remedy =>
  recoverFrom(services, cloud, async ({ open }, use, { address }) => {
    const windows = await services.wallet.recoveryWindows()
    const onRefused = createRefusalReport(services, cloud)
    await open(cloudScreen, {
      recovery: {
        method: cloud,
        purpose: 'recover',
        windows,
        address: () => address,
        userAgent,
        onRefused,
        use,
      },
      onCancel: undefined,
    })
  })

export const setByCloud =
  (cloud: CloudRecovery): SetRecovery =>
  async (services, card, { address, leave, save, outside }, openFirst) => {
    const windows = await services.wallet.recoveryWindows()
    const onRefused = createRefusalReport(services, cloud)
    await openFirst(services, card, cloudScreen, {
      recovery: {
        method: cloud,
        purpose: 'set',
        windows,
        address,
        userAgent: outside.userAgent,
        onRefused,
        use: save,
      },
      onCancel: leave,
    })
    const first = { ...card, replace: card.restart }
    void openOnCard(services, first, cloudSetScreen, { cloud, onClose: leave })
    if (!leave) await card.hold(dialogLimits.successCloseMs)
  }

const createRefusalReport =
  ({ analytics }: Pick<DialogServices, 'analytics'>, cloud: CloudRecovery) =>
  (error: unknown) =>
    analytics('recovery_oauth_error', { ...failurePayload(error), provider: cloud })
