import { defineScreen, everyWay, noWay } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const connectScreen = defineScreen({
  name: 'CONNECT_DAPP_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./screens/connect-screen.tsx')).ConnectScreen,
})

export const proposalScreen = defineScreen({
  name: 'DAPP_PROPOSAL_SCREEN',
  ways: ({ status }) => (status === 'connecting' ? noWay : everyWay),
  texts,
  component: async () => (await import('./screens/proposal-screen.tsx')).ProposalScreen,
})

export const screens = [connectScreen, proposalScreen] as const
