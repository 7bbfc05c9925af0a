import type { ClientSetting } from '../../host/settings.ts'

export const clientSettings: readonly ClientSetting[] = [
  'externalWallets.walletConnect',
  'appearance.walletList',
  'supportedChains',
  'defaultChain',
]
