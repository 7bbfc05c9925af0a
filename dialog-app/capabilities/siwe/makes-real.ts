import type { MakesReal } from '../../host/settings.ts'

export const makesReal: MakesReal = {
  client: ['externalWallets.walletConnect', 'appearance.walletList', 'supportedChains', 'defaultChain'],
}
