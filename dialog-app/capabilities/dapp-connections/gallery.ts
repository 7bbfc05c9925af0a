import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { noWay } from '../../flow/screen.ts'
import type { Lack } from './proposal/proposal.ts'
import { ConnectView, type ConnectViewProps } from './screens/connect-screen.tsx'
import {
  ImpossibleView,
  type ImpossibleViewProps,
  OfferView,
  type OfferViewProps,
} from './screens/proposal-screen.tsx'
import { connectScreen, proposalScreen } from './screens.ts'

const link = (caption: string, change: Partial<ConnectViewProps> = {}): Picture => ({
  caption: `Connect with a link, ${caption}`,
  screen: picturedView(
    connectScreen,
    ConnectView,
    (press): ConnectViewProps => ({
      link: '',
      problem: undefined,
      isPairing: false,
      onChange: press('change'),
      onConnect: press('connect'),
      onLeave: press('leave'),
      ...change,
    }),
  ),
  standalone: true,
  canGoBack: true,
})
const requester = { name: 'Tide Market', url: 'https://market.tides.example' }
const offer = (caption: string, change: Partial<OfferViewProps> = {}): Picture => ({
  caption: `A dapp, ${caption}`,
  screen: picturedView(
    proposalScreen,
    OfferView,
    (press): OfferViewProps => ({
      status: 'asked',
      requester,
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      networks: ['Ethereum', 'Base', 'Optimism'],
      onConnect: press('connect'),
      onLeave: press('leave'),
      onRetry: press('retry'),
      ...change,
    }),
    change.status === 'connecting' ? noWay : undefined,
  ),
  standalone: true,
  canGoBack: true,
})
const impossible = (caption: string, lack: Lack, name: string): Picture => ({
  caption: `A dapp, ${caption}`,
  screen: picturedView(
    proposalScreen,
    ImpossibleView,
    (press): ImpossibleViewProps => ({
      proposal: { requester, lack, names: [name] },
      onLeave: press('leave'),
    }),
  ),
  standalone: true,
  canGoBack: true,
})

export const pictures: Pictures = {
  screens: [
    link('asked'),
    link('no link', { problem: 'not-a-link' }),
    link('version 1', { problem: 'old-version' }),
    link('expired', { problem: 'expired' }),
    link('used before', { problem: 'used' }),
    link('no relay', { problem: 'unreachable' }),
    link('no answer', { problem: 'silent' }),
    link('no address', { problem: 'no-address' }),
    link('reaching the site', { isPairing: true }),
    offer('asked'),
    offer('of a long name', {
      requester: {
        name: 'The Very Long Name That A Site Gives Itself',
        url: 'https://a-rather-long-subdomain.of-a-site-with-a-long-name.example:8443',
      },
    }),
    offer('connecting', { status: 'connecting' }),
    offer('expired', { status: 'expired' }),
    offer('failed', { status: 'failed' }),
    impossible('of another network', 'namespaces', 'solana'),
    impossible('of unknown networks', 'chains', 'eip155:250'),
    impossible('of other methods', 'methods', 'eth_sign'),
    impossible('of other events', 'events', 'message'),
  ],
}
