import type { Gate } from '@latchkey/protocol/browser'
import type { Action } from '@latchkey/protocol/reading'
import type { ShownApproval } from '../../approval/confirmed.ts'
import { type Picture, type Pictures, picturedView, pictureHandlers } from '../../contract/picture.ts'
import { noWay, onlyClose } from '../../flow/screen.ts'
import type { Prepared } from './preparation.ts'
import { type SendFacts, SendView, type SendViewProps } from './screens/send-screen.tsx'
import { sendScreen } from './screens.ts'
import type { Reviewed } from './send-steps.ts'
import { texts } from './texts.arb'
import type { SendStep } from './use-sending.ts'

const from = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const friend = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const usdc = { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', symbol: 'USDC', decimals: 6 }
const bird = { address: '0x06012c8cf97BEaD5deAe237070F9587f8E7A266d', symbol: 'BIRD', decimals: undefined }
const hash = `0x${'5e3f'.repeat(16)}`
const ether = 10n ** 18n

const facts: SendFacts = {
  ui: {},
  chain: {
    id: 1,
    name: 'Ethereum',
    symbol: 'ETH',
    decimals: 18,
    explorerUrl: 'https://etherscan.io',
    isOpStack: false,
  },
  from,
  to: friend,
  value: ether / 4n,
  appName: 'Fieldnotes',
  origin: 'https://app.fieldnotes.example',
  priceDisplay: undefined,
}
const prepared: Prepared = {
  nonce: 7,
  gasLimit: 21_000n,
  fees: { kind: 'market', maxFeePerGas: 60_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
  estimatedFee: 651_000_000_000_000n,
  mostFee: 1_260_000_000_000_000n,
  balance: ether,
  mayCostMore: false,
  hasEnough: true,
  willFail: false,
}
const gate: Gate = { state: 'armed', sinceMs: 0, asks: false }
const pressed: ShownApproval = { by: 'press', gate }
type Change = Partial<SendFacts & Pick<SendViewProps, 'usd' | 'isFundable' | 'approval'>>
const send = (
  caption: string,
  step: SendStep,
  { usd = null, isFundable = false, approval = pressed, ...change }: Change = {},
): Picture => ({
  caption,
  screen: picturedView(
    sendScreen,
    SendView,
    (press, send): SendViewProps => ({
      facts: { ...facts, ...change },
      usd,
      isFundable,
      step,
      approval,
      handlers: pictureHandlers(press, send),
      onRetry: press('retry'),
      onAddFunds: press('addFunds'),
      onLeave: press('leave'),
    }),
    step.status === 'submitting' ? noWay : onlyClose,
    (language) => ({ infoWords: step.status === 'review' ? texts.in(language).info : undefined }),
  ),
})
const review = (
  action: Action = { kind: 'native-transfer' },
  over: Partial<Prepared> = {},
): Extract<SendStep, Reviewed> => ({
  status: 'review',
  prepared: { ...prepared, ...over },
  action,
})
const beyond: ShownApproval = { by: 'page', reason: 'beyond_allowance', way: { at: 'nowhere' } }
const toToken = { to: usdc.address, value: 0n }
const toBird = { to: bird.address, value: 0n }

export const pictures: Pictures = {
  screens: [
    send('Send, preparing', { status: 'loading' }),
    send('Send', review()),
    send('Sign, for the app to send', review(), { isHandedOver: true }),
    send('Send, not yet', review(), { approval: { by: 'press', gate: { ...gate, state: 'arming' } } }),
    send('Send, worth more than a frame may', review(), { approval: beyond, usd: '812.40' }),
    send('Send, dollars first', review(), { usd: '12.40', priceDisplay: { primary: 'fiat-currency' } }),
    send('Send, with fees that may rise', review(undefined, { mostFee: 30n * ether })),
    send('Send, not enough', review(undefined, { hasEnough: false, balance: ether / 8n })),
    send(
      'Send, not enough, and funds can be added',
      review(undefined, { hasEnough: false, balance: ether / 8n }),
      { isFundable: true },
    ),
    send(
      'Send, will likely fail',
      review({ kind: 'unknown', data: `0x${'ab12'.repeat(90)}` }, { willFail: true }),
      {
        value: 0n,
      },
    ),
    send(
      'Send a token',
      review({ kind: 'token-transfer', token: usdc, to: friend, amount: 25_500_000n }),
      toToken,
    ),
    send(
      'Send a token of somebody else',
      review({ kind: 'token-transfer-from', token: usdc, from: bird.address, to: friend, amount: 1n }),
      toToken,
    ),
    send(
      'Send a single thing',
      review({ kind: 'nft-transfer', token: bird, from, to: friend, id: 1_204n, count: 1n }),
      toBird,
    ),
    send(
      'Allow an amount',
      review({ kind: 'approval', token: usdc, spender: friend, amount: 10_000_000n }),
      toToken,
    ),
    send(
      'Allow without limit',
      review({ kind: 'approval', token: usdc, spender: friend, amount: null }),
      toToken,
    ),
    send(
      'Allow more',
      review({ kind: 'approval', token: usdc, spender: friend, amount: 10_000_000n, isMore: true }),
      toToken,
    ),
    send('Take back', review({ kind: 'approval-revoked', token: usdc, spender: friend }), toToken),
    send(
      'Allow a single thing',
      review({ kind: 'nft-approval', token: bird, spender: friend, id: 7n, isUnlimited: false }),
      toBird,
    ),
    send(
      'Allow a collection',
      review({ kind: 'approval-for-all', token: bird, spender: friend, isGiven: true }),
      toBird,
    ),
    send('Create a contract', review({ kind: 'contract-creation', data: `0x${'6001'.repeat(60)}` }), {
      to: null,
      value: 0n,
    }),
    send('Send, own words', review(), {
      ui: {
        header: 'Buy the field guide',
        description: 'You pay once and keep it.',
        buttonText: 'Pay',
        transactionInfo: { title: 'Order', action: 'Field guide, second edition' },
      },
    }),
    send(
      'Send, a name with hidden characters',
      review({
        kind: 'token-transfer',
        token: { ...usdc, symbol: 'US\u202eCD\u200b' },
        to: friend,
        amount: 1n,
      }),
      toToken,
    ),
    send('Send, submitting', { ...review(), status: 'submitting' }),
    send('Send, waiting', { status: 'waiting', hash }),
    send('Send, complete', { status: 'success', hash }),
    send('Send, failed in its contract', {
      status: 'failed',
      code: 'CALL_EXCEPTION',
      hash,
      isAnswered: false,
    }),
    send('Send, failed before', { status: 'failed', code: 'UNPREPARED', hash: undefined, isAnswered: false }),
  ],
}
