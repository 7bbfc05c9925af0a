import type { MakesReal } from '../../core/settings.ts'

export const makesReal: MakesReal = {
  client: ['externalWallets.walletConnect', 'appearance.walletList', 'supportedChains', 'defaultChain'],
}
