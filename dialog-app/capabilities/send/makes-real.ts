import type { MakesReal } from '../../core/settings.ts'

export const makesReal: MakesReal = {
  client: [
    'embeddedWallets.priceDisplay',
    'embeddedWallets.waitForTransactionConfirmation',
    'supportedChains',
    'defaultChain',
  ],
}
