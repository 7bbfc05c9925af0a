/**
 * Who sells coins for a card. A second provider is a folder beside `moonpay/` with this type, and a line in
 * `capability.ts`.
 */
import type { OnRampTransaction, SignedFundingConfig } from '@latchkey/protocol/api'
import { registryKey } from '../../kernel/registry.ts'

/** A payment as it begins. */
export type FundingSession = {
  /** Ours, and random: what the provider knows the payment by. */
  reference: string
  address: string
  /** Nothing is really paid. */
  isTest: boolean
  config: SignedFundingConfig
}

/** What the provider says by itself of one payment, at a time of its own clock. */
export type ProviderNotice = {
  reference: string
  isTest: boolean
  transaction: OnRampTransaction
  atMs: number
}
export type WebhookReading =
  | { type: 'notice'; notice: ProviderNotice }
  /** Signed, and about nothing of ours. */
  | { type: 'other' }
  | { type: 'unsigned' }

export type OnRampProvider = {
  id: string
  /** Where its page stands; undefined where the operator has no keys for it. */
  pageAt: (isTest: boolean) => string | undefined
  createSession: (session: FundingSession) => { url: string }
  /** Undefined while it knows of no such payment. Throws `unavailable` where it gives no answer. */
  status: (
    session: Pick<FundingSession, 'reference' | 'isTest'>,
    signal: AbortSignal,
  ) => Promise<OnRampTransaction | undefined>
  parseWebhook: (headers: Headers, body: string, nowMs: number) => WebhookReading
}

export const onRampProvider = registryKey<OnRampProvider>('the provider of card payments')
