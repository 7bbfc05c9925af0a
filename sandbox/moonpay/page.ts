/** The payment page, with a button for every outcome. */
import { escapeHtml, thirdPartyPage } from '../pages/layout.ts'

/** The outcomes of a payment, one per button. */
export const outcomes = {
  completed: { label: 'Pay', change: { status: 'completed' } },
  pending: { label: 'Pay, and it takes a while', change: { status: 'pending' } },
  'waiting-card': {
    label: 'Pay by card, and the bank asks back',
    change: { status: 'waitingAuthorization', paymentMethod: 'credit_debit_card', cardPaymentType: 'card' },
  },
  'waiting-bank': {
    label: 'Pay from a bank account',
    change: { status: 'waitingAuthorization', paymentMethod: 'ach_bank_transfer', cardPaymentType: null },
  },
  'awaiting-bank': {
    label: 'Pay from a bank account, in the other spelling',
    change: { status: 'awaitingAuthorization', paymentMethod: 'ach_bank_transfer', cardPaymentType: null },
  },
  failed: { label: 'The card is declined', change: { status: 'failed' } },
} as const
export type Outcome = keyof typeof outcomes
export const isOutcome = (value: unknown): value is Outcome =>
  typeof value === 'string' && Object.hasOwn(outcomes, value)

export type PurchaseRequest = {
  query: string
  mode: string
  address: string
  currency: string
  amount: string
  colour: string
  theme: string
}

export const paymentPage = ({
  query,
  mode,
  address,
  currency,
  amount,
  colour,
  theme,
}: PurchaseRequest): string =>
  thirdPartyPage(
    'Buy with MoonPay',
    `<h1>MoonPay <small>in the sandbox${mode === 'test' ? ', with test money' : ''}</small></h1>
<p>Buy <strong>${escapeHtml(currency)}</strong> for <code>${escapeHtml(address)}</code></p>
<p><small>Colour ${escapeHtml(colour || 'its own')}, scheme ${escapeHtml(theme || 'its own')}</small></p>
<form method="post">
<input type="hidden" name="query" value="${escapeHtml(query)}">
<label>Amount <input name="amount" value="${escapeHtml(amount)}" inputmode="decimal"></label>
<fieldset><legend>What becomes of it</legend>
${Object.entries(outcomes)
  .map(([name, { label }]) => `<button name="outcome" value="${name}">${escapeHtml(label)}</button>`)
  .join('\n')}
</fieldset>
</form>`,
  )

export const messagePage = (says: string): string =>
  thirdPartyPage('MoonPay', `<h1>MoonPay <small>in the sandbox</small></h1><p>${escapeHtml(says)}</p>`)
