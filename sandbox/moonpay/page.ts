/** The page at which a person pays, with every outcome of a payment. */

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`)

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="/oauth/consent.css">
<main>
${body}
</main>
</html>
`

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

export type Asked = {
  readonly query: string
  readonly mode: string
  readonly address: string
  readonly currency: string
  readonly amount: string
  readonly colour: string
  readonly theme: string
}

export const payingPage = ({ query, mode, address, currency, amount, colour, theme }: Asked): string =>
  page(
    'Buy with MoonPay',
    `<h1>MoonPay <small>in the sandbox${mode === 'test' ? ', with test money' : ''}</small></h1>
<p>Buy <strong>${escaped(currency)}</strong> for <code>${escaped(address)}</code></p>
<p><small>Colour ${escaped(colour || 'its own')}, scheme ${escaped(theme || 'its own')}</small></p>
<form method="post">
<input type="hidden" name="query" value="${escaped(query)}">
<label>Amount <input name="amount" value="${escaped(amount)}" inputmode="decimal"></label>
<fieldset><legend>What becomes of it</legend>
${Object.entries(outcomes)
  .map(([name, { label }]) => `<button name="outcome" value="${name}">${escaped(label)}</button>`)
  .join('\n')}
</fieldset>
</form>`,
  )

export const saidPage = (says: string): string =>
  page('MoonPay', `<h1>MoonPay <small>in the sandbox</small></h1><p>${escaped(says)}</p>`)
