import { lazyScreen } from '../../app/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const connectScreen = lazyScreen({
  name: 'CONNECT_DAPP_SCREEN',
  component: async () => (await import('./screens/connect-screen.tsx')).ConnectScreen,
  texts,
})

export const proposalScreen = lazyScreen({
  name: 'DAPP_PROPOSAL_SCREEN',
  component: async () => (await import('./screens/proposal-screen.tsx')).ProposalScreen,
  texts,
})

export const screens = [connectScreen, proposalScreen] as const
