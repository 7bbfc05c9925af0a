import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import type { ConnectState } from './screens/connect-screen.tsx'
import type { ProposalState } from './screens/proposal-screen.tsx'
import { connectScreen, proposalScreen } from './screens.ts'

const link = (caption: string, state: ConnectState): Picture => ({
  caption: `Connect with a link, ${caption}`,
  screen: pictured(connectScreen, state),
  standalone: true,
  canGoBack: true,
})
const proposal = (caption: string, state: ProposalState): Picture => ({
  caption: `A dapp, ${caption}`,
  screen: pictured(proposalScreen, state),
  standalone: true,
  canGoBack: true,
})
const dapp = { name: 'Tide Market', url: 'https://market.tides.example' }
const wallet = {
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  networks: ['Ethereum', 'Base', 'Optimism'],
}

export const pictures: Pictures = {
  screens: [
    link('asked', { status: 'asked', problem: undefined }),
    link('no link', { status: 'asked', problem: 'not-a-link' }),
    link('version 1', { status: 'asked', problem: 'old-version' }),
    link('expired', { status: 'asked', problem: 'expired' }),
    link('used before', { status: 'asked', problem: 'used' }),
    link('no relay', { status: 'asked', problem: 'unreachable' }),
    link('no answer', { status: 'asked', problem: 'silent' }),
    link('no address', { status: 'asked', problem: 'no-address' }),
    link('reaching the site', { status: 'pairing' }),
    proposal('asked', { status: 'asked', ...dapp, ...wallet }),
    proposal('of a long name', {
      status: 'asked',
      name: 'The Very Long Name That A Site Gives Itself',
      url: 'https://a-rather-long-subdomain.of-a-site-with-a-long-name.example:8443',
      ...wallet,
    }),
    proposal('connecting', { status: 'connecting', ...dapp, ...wallet }),
    proposal('expired', { status: 'expired', ...dapp }),
    proposal('failed', { status: 'failed', ...dapp }),
    proposal('of another network', {
      status: 'impossible',
      ...dapp,
      lack: 'namespaces',
      names: ['solana'],
    }),
    proposal('of unknown networks', {
      status: 'impossible',
      ...dapp,
      lack: 'chains',
      names: ['eip155:250'],
    }),
    proposal('of other methods', { status: 'impossible', ...dapp, lack: 'methods', names: ['eth_sign'] }),
    proposal('of other events', { status: 'impossible', ...dapp, lack: 'events', names: ['message'] }),
  ],
}
