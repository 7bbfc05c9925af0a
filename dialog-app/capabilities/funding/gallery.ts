import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import { Row } from './account-entry.tsx'
import type { PromptState } from './prompt-screen.tsx'
import type { ReceiveState } from './receive-screen.tsx'
import { promptScreen, receiveScreen, statusScreen, transferScreen } from './screens.ts'
import type { ShownStatus } from './status-screen.tsx'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const url = 'https://buy.moonpay.com/?apiKey=pk_live_a&signature=b'
const missing = { amount: '0.25 ETH', network: 'Base' }

const prompt = (caption: string, over: Partial<PromptState> = {}): Picture => ({
  caption,
  screen: pictured(promptScreen, {
    appName: 'Fieldnotes',
    address,
    missing: undefined,
    card: { at: 'ready' },
    canTransfer: true,
    ...over,
  }),
})
const status = (caption: string, shown: ShownStatus, perhapsBlocked?: string): Picture => ({
  caption,
  screen: pictured(statusScreen, { status: shown, perhapsBlocked }),
})
const receive = (caption: string, over: Partial<ReceiveState> = {}): Picture => ({
  caption,
  screen: pictured(receiveScreen, {
    address,
    network: 'Base',
    chainId: 8453,
    missing: undefined,
    canTransfer: true,
    faucetUrl: undefined,
    arrived: undefined,
    ...over,
  }),
})

export const pictures: Pictures = {
  screens: [
    prompt('Fund account'),
    prompt('Fund account, preparing', { card: { at: 'preparing' } }),
    prompt('Fund account, for a transaction', { missing }),
    prompt('Fund account, blocked', { card: { at: 'blocked', url } }),
    prompt('Fund account, failed', { card: { at: 'failed' } }),
    prompt('Fund account, of an app with a long name', {
      appName: 'The Society of Antiquaries of Newcastle',
    }),
    status('Payment, in progress', 'pending'),
    status('Payment, perhaps blocked', 'pending', url),
    status('Payment, completed', 'completed'),
    status('Payment, failed', 'failed'),
    status('Payment, provider error', 'serviceFailure'),
    status('Payment, waiting for the bank', 'waitingAuthorization'),
    status('Payment, arrived', 'arrived'),
    {
      caption: 'Transfer from a wallet',
      screen: pictured(transferScreen, {
        address,
        network: 'Base',
        symbol: 'ETH',
        decimals: 18,
        amount: '0.25',
      }),
      canGoBack: true,
    },
    receive('Receive'),
    receive('Receive, for a transaction', { missing }),
    receive('Receive, on a test network', {
      network: 'Sepolia',
      chainId: 11_155_111,
      faucetUrl: 'https://faucet.example/sepolia',
    }),
    receive('Receive, arrived', { arrived: '0.3 ETH' }),
    receive('Receive, network not known', { network: undefined, chainId: undefined }),
  ],
  account: [Row],
}
