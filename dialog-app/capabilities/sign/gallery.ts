import { noAssetNames } from '@latchkey/protocol/reading'
import type { PageReason } from '../../approval/confirmed.ts'
import type { Gate } from '../../approval/gate.ts'
import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import type { RequestStep, ShownRequest } from './request-screen.tsx'
import { connectingScreen, requestScreen } from './screens.ts'
import type { ShownContent } from './to-sign.ts'
import { cowOrder, nested, order, permit, usd, weth } from './typed-data/pictured.ts'

const message = 'I agree to join the Spring Survey and to share my observations under CC-BY.'
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle'
export const shown: ShownRequest = {
  title: undefined,
  description: undefined,
  buttonText: undefined,
  iconUrl: undefined,
  content: { kind: 'message', message },
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  appName: 'Fieldnotes',
  origin: 'https://app.fieldnotes.example',
  names: noAssetNames,
}
const saying = (text: string): ShownContent => ({ kind: 'message', message: text })
const sign = (caption: string, step: RequestStep, over: Partial<ShownRequest> = {}): Picture => ({
  caption,
  screen: pictured(requestScreen, { ...shown, ...over, ...step }),
})
const review = (state: Gate['state'], asks = false) =>
  ({ status: 'review', approval: { by: 'press', gate: { state, sinceMs: 0, asks } } }) as const
const armed = review('armed')
const toPage = (reason: PageReason, isReady: boolean) =>
  ({
    status: 'review',
    approval: { by: 'page', reason, way: { at: isReady ? 'nowhere' : 'preparing' } },
  }) as const

export const pictures: Pictures = {
  screens: [
    { caption: 'Wallet, recovering', screen: pictured(connectingScreen, {}) },
    sign('Sign', armed),
    sign('Sign, with a Solana wallet', armed, { address: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk' }),
    sign('Sign, not yet', review('arming')),
    sign('Sign, press again', review('armed', true)),
    sign('Sign, covered', review('hidden')),
    sign('Sign, too small', review('unreadable')),
    sign('Sign, invisible characters', armed, {
      content: saying('Pay 10\u202e001\u202c to\u00a0bob\u200b.example\0\n\nسلام 👩‍🚀'),
    }),
    sign('Sign, no text', toPage('not_understood', true), {
      content: { kind: 'bytes', hex: `0x${'9f3a'.repeat(16)}` },
    }),
    sign('Sign, long message', armed, { content: saying(`${message}\n\n`.repeat(8) + longWord.repeat(2)) }),
    sign('Sign, own words', armed, {
      title: 'Join the survey',
      description: 'Your signature proves that this account is yours. It moves nothing.',
      buttonText: 'Join',
      origin: 'https://a-very-long-name-of-a-preview.deployment-of-the-main-branch.fieldnotes.example:8443',
    }),
    sign('Sign typed data', armed, { content: order }),
    sign('Sign typed data, permit', armed, { content: permit }),
    sign('Sign typed data, order of a market', toPage('not_understood', true), {
      content: cowOrder,
      names: {
        coin: null,
        tokens: [
          { address: usd, symbol: 'USDC', decimals: 6 },
          { address: weth, symbol: 'WETH', decimals: 18 },
        ],
      },
    }),
    sign('Sign typed data, to its page', toPage('allowance_or_permit', true), { content: permit }),
    sign('Sign typed data, to its page, preparing', toPage('browser', false), { content: order }),
    sign('Sign typed data, long and hidden', armed, { content: nested }),
    sign('Sign, blocked: login elsewhere', {
      status: 'blocked',
      why: { kind: 'sign-in', domain: 'wallet-of-somebody-else.example:8443' },
    }),
    sign('Sign, blocked: other network', {
      status: 'blocked',
      why: { kind: 'chain', asked: '137', current: 1 },
    }),
    sign('Sign, signing', { status: 'signing' }),
    sign('Sign, signed', { status: 'success' }),
    sign('Sign, failed', { status: 'failed', problem: 'failed' }),
  ],
}
