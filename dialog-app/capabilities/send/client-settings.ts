import type { ClientSetting } from '../../host/idle-settings.ts'

export const clientSettings: readonly ClientSetting[] = [
  'embeddedWallets.priceDisplay',
  'embeddedWallets.waitForTransactionConfirmation',
  'supportedChains',
  'defaultChain',
]
