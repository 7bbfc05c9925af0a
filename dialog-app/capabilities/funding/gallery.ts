import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { Row } from './account-entry.tsx'
import type { ShownStatus } from './payment.ts'
import { PromptView, type PromptViewProps } from './prompt-screen.tsx'
import { ReceiveView, type ReceiveViewProps } from './receive-screen.tsx'
import { promptScreen, receiveScreen, statusScreen, transferScreen } from './screens.ts'
import { StatusView } from './status-screen.tsx'
import { TransferView } from './transfer-screen.tsx'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const url = 'https://buy.moonpay.com/?apiKey=pk_live_a&signature=b'
const reference = 'payment_1'
const missing = '0.25 ETH'

const prompt = (caption: string, change: Partial<PromptViewProps> = {}): Picture => ({
  caption,
  screen: picturedView(
    promptScreen,
    PromptView,
    (press): PromptViewProps => ({
      appName: 'Fieldnotes',
      address,
      missing: undefined,
      page: { at: 'ready', url, reference },
      onPay: press('pay'),
      onFollowLink: press('opened'),
      onRetry: press('retry'),
      onReceive: press('receive'),
      onTransfer: press('transfer'),
      ...change,
    }),
  ),
})
const status = (caption: string, shown: ShownStatus, perhapsBlocked?: string): Picture => ({
  caption,
  screen: picturedView(statusScreen, StatusView, (press) => ({
    status: shown,
    perhapsBlocked,
    onLeave: press('leave'),
  })),
})
const receive = (caption: string, change: Partial<ReceiveViewProps> = {}): Picture => ({
  caption,
  screen: picturedView(
    receiveScreen,
    ReceiveView,
    (press): ReceiveViewProps => ({
      address,
      network: 'Base',
      chainId: 8453,
      missing: undefined,
      faucetUrl: undefined,
      arrived: undefined,
      onTransfer: press('transfer'),
      onLeave: press('leave'),
      ...change,
    }),
  ),
})

export const pictures: Pictures = {
  screens: [
    prompt('Fund account'),
    prompt('Fund account, preparing', { page: { at: 'preparing' } }),
    prompt('Fund account, for a transaction', { missing }),
    prompt('Fund account, blocked', { page: { at: 'blocked', url, reference } }),
    prompt('Fund account, failed', { page: { at: 'failed' } }),
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
      screen: picturedView(transferScreen, TransferView, (press) => ({
        address,
        network: 'Base',
        symbol: 'ETH',
        decimals: 18,
        initialAmount: '0.25',
        onChoose: press('choose'),
      })),
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
