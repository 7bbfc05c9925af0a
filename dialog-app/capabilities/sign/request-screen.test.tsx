/** The card of typed data, read whole as a person sees it. */
import { noAssetNames } from '@latchkey/protocol/reading'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { loadScreen } from '../../app/screen.ts'
import { LanguageProvider } from '../../i18n/context.tsx'
import { noHandlers } from '../../testing/approval.ts'
import { requestProps } from './gallery.ts'
import { type RequestFacts, RequestView, type RequestViewProps } from './request-screen.tsx'
import { requestScreen } from './screens.ts'
import { cowOrder, permit, usd, weth } from './typed-data/pictured.ts'

const names = {
  coin: null,
  tokens: [
    { address: usd, symbol: 'USDC', decimals: 6 },
    { address: weth, symbol: 'WETH', decimals: 18 },
  ],
}
type Change = Partial<Pick<RequestViewProps, 'content' | 'names' | 'step'>> & Partial<RequestFacts>
const view = ({
  content = requestProps.content,
  names = noAssetNames,
  step = requestProps.step,
  ...facts
}: Change) => (
  <RequestView
    facts={{ ...requestProps.facts, ...facts }}
    content={content}
    names={names}
    step={step}
    approval={{ by: 'page', reason: 'not_understood', way: { at: 'nowhere' } }}
    handlers={noHandlers}
    onRetry={() => {}}
    onLeave={() => {}}
  />
)
const textOf = (change: Change) => renderToStaticMarkup(view(change))
const titleOf = (html: string) => /<h2[^>]*>(.*?)<\/h2>/.exec(html)?.[1]

describe('the card of an order', () => {
  const said = `Sell 5 USDC (${usd}) for at least 0.002 WETH (${weth}) until 31 December 2026 at 12:00 UTC, on CoW Protocol.`

  test('names the order in the title and in full below, without a warning', () => {
    const html = textOf({ content: cowOrder, names })
    expect(titleOf(html)).toBe('Sell 5 USDC for at least 0.002 WETH until 31 December 2026')
    expect(html).toContain(said)
    expect(html).not.toContain('role="alert"')
  })

  test('shows addresses before the server has answered', () => {
    const html = textOf({ content: cowOrder, names: noAssetNames })
    expect(titleOf(html)).toBe('Sign an order')
    expect(html).toContain(`5000000 of the smallest units of the token ${usd}`)
  })

  test('has the title of the host and the same description', () => {
    const html = textOf({ content: cowOrder, names, title: 'Claim your gift' })
    expect(titleOf(html)).toBe('Claim your gift')
    expect(html).toContain(said)
  })

  test('warns about another wallet', () => {
    const other = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
    expect(textOf({ content: cowOrder, names, address: other })).toContain(
      `Not to this wallet, but to ${requestProps.facts.address}: 0.002 WETH (${weth}).`,
    )
  })
})

test('the card of a message translates its own texts, and not those of the host', async () => {
  await loadScreen(requestScreen, 'ar')
  const inArabic = (change: Change) =>
    renderToStaticMarkup(
      <LanguageProvider value="ar">{view({ ...change, step: { status: 'signing' } })}</LanguageProvider>,
    )
  expect(titleOf(inArabic({}))).toBe('توقيع رسالة')
  expect(titleOf(inArabic({ title: 'Join the survey' }))).toBe('Join the survey')
  expect(titleOf(inArabic({ title: 'Sign message' }))).toBe('Sign message')
})

test('the card of a permit without limit names the token by the list', () => {
  const html = textOf({ content: permit, names })
  expect(titleOf(html)).toBe('Allow tokens to be taken')
  expect(html).toContain(`take an unlimited amount of the token USDC (${usd}) out of your wallet`)
})
