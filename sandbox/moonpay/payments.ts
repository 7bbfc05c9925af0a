/** Card payments at MoonPay. The page or a test starts them; the API and signed webhooks report them. */
import { createHmac, randomUUID } from 'node:crypto'

/** The MoonPay accounts of the sandbox's clients. */
export const accounts = {
  live: { publishable: 'pk_live_sandbox', secret: 'sk_live_sandbox', webhook: 'wk_live_sandbox' },
  test: { publishable: 'pk_test_sandbox', secret: 'sk_test_sandbox', webhook: 'wk_test_sandbox' },
} as const
export type Mode = keyof typeof accounts

export const modeByKey = (publishable: string | null): Mode | undefined =>
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
  /** Creates or changes a payment, pays out when it completes, and calls the webhook. */
  change: (mode: Mode, externalTransactionId: string, change: Change) => Promise<Payment>
  setWebhookUrl: (url: string | undefined) => void
  /** Returns all webhook calls, oldest first. */
  deliveries: () => readonly Delivery[]
  /** Repeats a webhook call, like a provider that received no response. */
  deliver: (delivery: Delivery) => Promise<number>
  count: () => { payments: number; looked: number }
  countPoll: () => void
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
  const paymentKey = (mode: Mode, reference: string) => `${mode} ${reference}`
  /** Returns a timestamp that no earlier webhook has, because receivers tell webhooks apart by it. */
  const nextTimestamp = () => {
    lastAt = Math.max(clock.now(), lastAt + 1)
    return new Date(lastAt).toISOString()
  }

  const deliver = async ({ headers, body }: Delivery) => {
    if (hookUrl === undefined) return 0
    const response = await fetch(hookUrl, { method: 'POST', headers, body }).catch(() => undefined)
    return response?.status ?? 0
  }

  const signDelivery = (mode: Mode, type: string, payment: Payment): Delivery => {
    const body = JSON.stringify({ type, data: payment, externalCustomerId: null })
    const at = Math.floor(clock.now() / 1_000)
    const signature = createHmac('sha256', accounts[mode].webhook).update(`${at}.${body}`).digest('hex')
    const headers = { 'content-type': 'application/json', 'moonpay-signature-v2': `t=${at},s=${signature}` }
    return { headers, body }
  }

  const createPayment = (externalTransactionId: string): Payment => ({
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
    createdAt: nextTimestamp(),
    updatedAt: nextTimestamp(),
  })

  return {
    find: (mode, reference) => payments.get(paymentKey(mode, reference)),
    change: async (mode, reference, { currencyCode, ...change }) => {
      const previous = payments.get(paymentKey(mode, reference))
      const base = previous ?? createPayment(reference)
      const payment: Payment = {
        ...base,
        ...change,
        ...(currencyCode !== undefined && { currency: { code: currencyCode } }),
        updatedAt: nextTimestamp(),
      }
      const isPaidOut = payment.status === 'completed' && previous?.status !== 'completed'
      if (isPaidOut && payment.walletAddress !== '') {
        await payOut(payment.walletAddress, payment.quoteCurrencyAmount)
      }
      payments.set(paymentKey(mode, reference), payment)
      const failed = payment.status === 'failed' ? 'transaction_failed' : 'transaction_updated'
      const delivery = signDelivery(mode, previous ? failed : 'transaction_created', payment)
      sent.push(delivery)
      await deliver(delivery)
      return payment
    },
    setWebhookUrl: (url) => {
      hookUrl = url
    },
    deliveries: () => sent,
    deliver,
    count: () => ({ payments: payments.size, looked }),
    countPoll: () => {
      looked += 1
    },
  }
}
