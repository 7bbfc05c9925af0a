/** Payments by card at MoonPay: begun on its page or by a test, told over its API and by signed webhooks. */
import { createHmac, randomUUID } from 'node:crypto'

/** The accounts that it knows, which are those of the sandbox's clients. */
export const accounts = {
  live: { publishable: 'pk_live_sandbox', secret: 'sk_live_sandbox', webhook: 'wk_live_sandbox' },
  test: { publishable: 'pk_test_sandbox', secret: 'sk_test_sandbox', webhook: 'wk_test_sandbox' },
} as const
export type Mode = keyof typeof accounts

export const modeOfKey = (publishable: string | null): Mode | undefined =>
  (['live', 'test'] as const).find((mode) => accounts[mode].publishable === publishable)

export const statuses = [
  'waitingPayment',
  'pending',
  'waitingAuthorization',
  'awaitingAuthorization',
  'failed',
  'completed',
] as const
export type Status = (typeof statuses)[number]
export const isStatus = (value: unknown): value is Status => statuses.some((status) => status === value)

export type Payment = {
  id: string
  externalTransactionId: string
  status: Status
  paymentMethod: string
  cardPaymentType: string | null
  walletAddress: string
  currency: { code: string }
  baseCurrencyAmount: number
  quoteCurrencyAmount: number
  feeAmount: number
  extraFeeAmount: number
  networkFeeAmount: number
  createdAt: string
  updatedAt: string
}
export type Change = Partial<
  Pick<Payment, 'status' | 'paymentMethod' | 'cardPaymentType' | 'walletAddress' | 'quoteCurrencyAmount'>
> & { currencyCode?: string }

export type Delivery = { headers: Readonly<Record<string, string>>; body: string }

export type Payments = {
  find: (mode: Mode, externalTransactionId: string) => Payment | undefined
  /** Begins it where it is new, changes it, pays out where it is completed, and tells whoever wants to hear. */
  change: (mode: Mode, externalTransactionId: string, change: Change) => Promise<Payment>
  tellAt: (url: string | undefined) => void
  /** Everything that was sent, the first one first. */
  deliveries: () => readonly Delivery[]
  /** Sends one of these again, as a provider does that got no answer. */
  deliver: (delivery: Delivery) => Promise<number>
  count: () => { payments: number; looked: number }
  countLook: () => void
}

export const createPayments = (
  clock: { now: () => number },
  payOut: (address: string, coins: number) => Promise<void>,
): Payments => {
  const payments = new Map<string, Payment>()
  const sent: Delivery[] = []
  let hookUrl: string | undefined
  let looked = 0
  let lastAt = 0
  const keyOf = (mode: Mode, reference: string) => `${mode} ${reference}`
  /** Gives each webhook a time of its own, because receivers tell webhooks apart by it. */
  const nextMoment = () => {
    lastAt = Math.max(clock.now(), lastAt + 1)
    return new Date(lastAt).toISOString()
  }

  const deliver = async ({ headers, body }: Delivery) => {
    if (hookUrl === undefined) return 0
    const response = await fetch(hookUrl, { method: 'POST', headers, body }).catch(() => undefined)
    return response?.status ?? 0
  }

  const signed = (mode: Mode, type: string, payment: Payment): Delivery => {
    const body = JSON.stringify({ type, data: payment, externalCustomerId: null })
    const at = Math.floor(clock.now() / 1_000)
    const signature = createHmac('sha256', accounts[mode].webhook).update(`${at}.${body}`).digest('hex')
    const headers = { 'content-type': 'application/json', 'moonpay-signature-v2': `t=${at},s=${signature}` }
    return { headers, body }
  }

  const blank = (externalTransactionId: string): Payment => ({
    id: randomUUID(),
    externalTransactionId,
    status: 'waitingPayment',
    paymentMethod: 'credit_debit_card',
    cardPaymentType: 'card',
    walletAddress: '',
    currency: { code: 'eth' },
    baseCurrencyAmount: 50,
    quoteCurrencyAmount: 0.02,
    feeAmount: 2.25,
    extraFeeAmount: 0,
    networkFeeAmount: 0.5,
    createdAt: nextMoment(),
    updatedAt: nextMoment(),
  })

  return {
    find: (mode, reference) => payments.get(keyOf(mode, reference)),
    change: async (mode, reference, { currencyCode, ...change }) => {
      const before = payments.get(keyOf(mode, reference))
      const was = before ?? blank(reference)
      const payment: Payment = {
        ...was,
        ...change,
        ...(currencyCode !== undefined && { currency: { code: currencyCode } }),
        updatedAt: nextMoment(),
      }
      const isPaidOut = payment.status === 'completed' && before?.status !== 'completed'
      if (isPaidOut && payment.walletAddress !== '') {
        await payOut(payment.walletAddress, payment.quoteCurrencyAmount)
      }
      payments.set(keyOf(mode, reference), payment)
      const failed = payment.status === 'failed' ? 'transaction_failed' : 'transaction_updated'
      const delivery = signed(mode, before ? failed : 'transaction_created', payment)
      sent.push(delivery)
      await deliver(delivery)
      return payment
    },
    tellAt: (url) => {
      hookUrl = url
    },
    deliveries: () => sent,
    deliver,
    count: () => ({ payments: payments.size, looked }),
    countLook: () => {
      looked += 1
    },
  }
}
