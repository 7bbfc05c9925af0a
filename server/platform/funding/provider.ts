/**
 * The interface of a card payment provider. Each provider has a folder like `moonpay/` and a line in `capability.ts`.
 */
import type { OnRampTransaction, SignedFundingConfig } from '@latchkey/protocol/api'
import { registryKey } from '../../kernel/registry.ts'

/** A payment to begin. */
export type FundingSession = {
  /** Our random reference for the payment. */
  reference: string
  address: string
  /** A sandbox payment without real money. */
  isTest: boolean
  config: SignedFundingConfig
}

/** A webhook notice about one payment, with the provider's time. */
export type ProviderNotice = {
  reference: string
  isTest: boolean
  transaction: OnRampTransaction
  atMs: number
}
export type WebhookReading =
  | { type: 'notice'; notice: ProviderNotice }
  /** Signed, but not about a payment. */
  | { type: 'other' }
  | { type: 'unsigned' }

export type OnRampProvider = {
  id: string
  /** Returns the page URL, or undefined without keys. */
  pageAt: (isTest: boolean) => string | undefined
  createSession: (session: FundingSession) => { url: string }
  /** Returns the status, or undefined for an unknown payment. Throws `unavailable` if the provider does not respond. */
  status: (
    session: Pick<FundingSession, 'reference' | 'isTest'>,
    signal: AbortSignal,
  ) => Promise<OnRampTransaction | undefined>
  parseWebhook: (headers: Headers, body: string, nowMs: number) => WebhookReading
}

export const onRampProvider = registryKey<OnRampProvider>('the provider of card payments')
