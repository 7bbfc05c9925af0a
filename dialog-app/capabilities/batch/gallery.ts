import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { type BatchFacts, BatchView, type BatchViewProps } from './batch-screen.tsx'
import type { Outcome } from './batch-status.ts'
import { batchScreen } from './screens.ts'

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
  ],
}
