import type { Gate } from '@latchkey/protocol/browser'
import { describeSolanaTransaction, noAssetNames, type SolanaAction } from '@latchkey/protocol/reading'
import type { PageReason, ShownApproval } from '../../approval/confirmed.ts'
import { type Picture, type Pictures, picturedView, pictureHandlers } from '../../contract/picture.ts'
import { noWay } from '../../flow/screen.ts'
import { ConnectingScreen, type RequestFacts, RequestView, type RequestViewProps } from './request-screen.tsx'
import { connectingScreen, requestScreen } from './screens.ts'
import { texts } from './texts.arb'
import type { ShownContent } from './to-sign.ts'
import { cowOrder, nested, order, permit, usd, weth } from './typed-data/pictured.ts'

const message = 'I agree to join the Spring Survey and to share my observations under CC-BY.'
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle'
export const pressBy = (state: Gate['state'], asks = false): ShownApproval => ({
  by: 'press',
  gate: { state, sinceMs: 0, asks },
})
export const requestProps: Omit<RequestViewProps, 'handlers' | 'onRetry' | 'onLeave'> = {
  facts: {
    title: undefined,
    description: undefined,
    buttonText: undefined,
    iconUrl: undefined,
    address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    appName: 'Fieldnotes',
    origin: 'https://app.fieldnotes.example',
  },
  content: { kind: 'message', message },
  names: noAssetNames,
  step: { status: 'review' },
  approval: pressBy('armed'),
}
const solanaAddress = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'
const solanaUsdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const solanaContent = (actions: SolanaAction[]): ShownContent => {
  const meaning = { actions, payer: solanaAddress, mostFee: 5_000n, tables: [], otherSigners: [] }
  return {
    kind: 'solana-transaction',
    describe: (...shown) => describeSolanaTransaction(meaning, ...shown),
  }
}
const textContent = (text: string): ShownContent => ({ kind: 'message', message: text })

/** Pictures the request screen, with the header buttons and the explanation of its step. */
export const requestPicture = (change: Partial<RequestViewProps>): Picture['screen'] => {
  const { step } = { ...requestProps, ...change }
  return picturedView(
    requestScreen,
    RequestView,
    (press, send): RequestViewProps => ({
      ...requestProps,
      handlers: pictureHandlers(press, send),
      onRetry: press('retry'),
      onLeave: press('leave'),
      ...change,
    }),
    step.status === 'signing' ? noWay : undefined,
    (language) => ({ infoWords: step.status === 'review' ? texts.in(language).info : undefined }),
  )
}
const sign = (
  caption: string,
  { facts, ...change }: Partial<Omit<RequestViewProps, 'facts'>> & { facts?: Partial<RequestFacts> } = {},
): Picture => ({ caption, screen: requestPicture({ ...change, facts: { ...requestProps.facts, ...facts } }) })
const toPage = (reason: PageReason, isReady: boolean): ShownApproval => ({
  by: 'page',
  reason,
  way: { at: isReady ? 'nowhere' : 'preparing' },
})

export const pictures: Pictures = {
  screens: [
    { caption: 'Wallet, recovering', screen: picturedView(connectingScreen, ConnectingScreen, () => ({})) },
    sign('Sign'),
    sign('Sign, with a Solana wallet', { facts: { address: solanaAddress } }),
    sign('Sign, not yet', { approval: pressBy('arming') }),
    sign('Sign, press again', { approval: pressBy('armed', true) }),
    sign('Sign, covered', { approval: pressBy('hidden') }),
    sign('Sign, too small', { approval: pressBy('unreadable') }),
    sign('Sign, invisible characters', {
      content: textContent('Pay 10\u202e001\u202c to\u00a0bob\u200b.example\0\n\nسلام 👩‍🚀'),
    }),
    sign('Sign, no text', {
      approval: toPage('not_understood', true),
      content: { kind: 'bytes', hex: `0x${'9f3a'.repeat(16)}` },
    }),
    sign('Sign, long message', { content: textContent(`${message}\n\n`.repeat(8) + longWord.repeat(2)) }),
    sign('Sign, own words', {
      facts: {
        title: 'Join the survey',
        description: 'Your signature proves that this account is yours. It moves nothing.',
        buttonText: 'Join',
        origin: 'https://a-very-long-name-of-a-preview.deployment-of-the-main-branch.fieldnotes.example:8443',
      },
    }),
    sign('Sign a Solana transaction', {
      facts: { address: solanaAddress },
      content: solanaContent([
        {
          kind: 'token-transfer',
          owner: solanaAddress,
          to: '5Gvt3b3TBQdjvs5iDPEnSdhpVtBXPzrWYzQ8wfpNUjH1',
          amount: 12_500_000n,
          token: { mint: solanaUsdc, decimals: 6 },
        },
        { kind: 'memo', text: 'Rent for May' },
      ]),
      names: { coin: null, tokens: [{ address: solanaUsdc, symbol: 'USDC', decimals: 6 }] },
    }),
    sign('Sign a Solana transaction, to its page', {
      approval: toPage('not_understood', true),
      facts: { address: solanaAddress },
      content: solanaContent([
        { kind: 'durable-nonce' },
        { kind: 'unknown', program: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' },
      ]),
    }),
    sign('Sign typed data', { content: order }),
    sign('Sign typed data, permit', { content: permit }),
    sign('Sign typed data, order of a market', {
      approval: toPage('not_understood', true),
      content: cowOrder,
      names: {
        coin: null,
        tokens: [
          { address: usd, symbol: 'USDC', decimals: 6 },
          { address: weth, symbol: 'WETH', decimals: 18 },
        ],
      },
    }),
    sign('Sign typed data, to its page', { approval: toPage('allowance_or_permit', true), content: permit }),
    sign('Sign typed data, to its page, preparing', { approval: toPage('browser', false), content: order }),
    sign('Sign typed data, long and hidden', { content: nested }),
    sign('Sign, blocked: login elsewhere', {
      step: {
        status: 'blocked',
        why: { kind: 'sign-in', domain: 'wallet-of-somebody-else.example:8443' },
      },
    }),
    sign('Sign, blocked: other network', {
      step: { status: 'blocked', why: { kind: 'chain', asked: '137', current: 1 } },
    }),
    sign('Sign, signing', { step: { status: 'signing' } }),
    sign('Sign, signed', { step: { status: 'success' } }),
    sign('Sign, failed', { step: { status: 'failed', problem: 'failed' } }),
  ],
}
