import { type Picture, type Pictures, picturedView, pictureHandlers } from '../../contract/picture.ts'
import { noWay, onlyClose } from '../../flow/screen.ts'
import { AtomicBatchView, type AtomicBatchViewProps } from './atomic-screen.tsx'
import { type BatchFacts, BatchView, type BatchViewProps } from './batch-screen.tsx'
import type { Outcome } from './batch-status.ts'
import { atomicBatchScreen, batchScreen } from './screens.ts'

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const friend = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const hash = `0x${'5e3f'.repeat(16)}`

const batch: BatchFacts = {
  appName: 'Fieldnotes',
  origin: 'https://app.fieldnotes.example',
  chain: {
    id: 1,
    name: 'Ethereum',
    symbol: 'ETH',
    decimals: 18,
    explorerUrl: 'https://etherscan.io',
    isOpStack: false,
  },
  from: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  calls: [
    { to: token, value: '0', hasData: true, hash: null },
    { to: friend, value: '250000000000000000', hasData: true, hash: null },
    { to: friend, value: '1000000000000000', hasData: false, hash: null },
    { to: null, value: '0', hasData: true, hash: null },
  ],
}
const list = (caption: string, calls = batch.calls, outcomes?: readonly Outcome[]): Picture => ({
  caption: `Transactions together, ${caption}`,
  screen: picturedView(
    batchScreen,
    BatchView,
    (press): BatchViewProps => ({
      facts: { ...batch, calls },
      outcomes,
      isBusy: false,
      onPress: press(outcomes ? 'leave' : 'goOn'),
    }),
  ),
})

const usdc = { address: token, symbol: 'USDC', decimals: 6 }
const atomic = (
  caption: string,
  { isSending = false, authorizes = false }: { isSending?: boolean; authorizes?: boolean } = {},
): Picture => ({
  caption: `Actions together, ${caption}`,
  screen: picturedView(
    atomicBatchScreen,
    AtomicBatchView,
    (press, send): AtomicBatchViewProps => ({
      facts: { ...batch, calls: batch.calls.slice(0, 3) },
      actions: [
        { kind: 'token-transfer', token: usdc, to: friend, amount: 25_000_000n },
        { kind: 'unknown', data: '0xd0e30db0' },
        { kind: 'native-transfer' },
      ],
      authorizes,
      usd: '525.10',
      approval: { by: 'press', gate: { state: 'armed', sinceMs: 0, asks: false } },
      handlers: pictureHandlers(press, send),
      isSending,
    }),
    isSending ? noWay : onlyClose,
  ),
})

export const pictures: Pictures = {
  screens: [
    list('before the first'),
    list(
      'of many digits',
      batch.calls.map((call) => ({ ...call, value: '8123456789012345678' })),
    ),
    list('one alone', batch.calls.slice(0, 1)),
    list(
      'what became of each',
      batch.calls.map((call, position) => (position < 3 ? { ...call, hash } : call)),
      ['succeeded', 'waiting', 'reverted', 'not-sent'],
    ),
    atomic('before the approval'),
    atomic('for the first time', { authorizes: true }),
    atomic('being sent', { isSending: true }),
  ],
}
