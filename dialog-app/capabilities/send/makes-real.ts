import type { MakesReal } from '../../host/settings.ts'

export const makesReal: MakesReal = {
  client: [
    'embeddedWallets.priceDisplay',
    'embeddedWallets.waitForTransactionConfirmation',
    'supportedChains',
    'defaultChain',
  ],
}
