/**
 * Who sells coins for a card. A second provider is a folder beside `moonpay/` with this type, and a line in
 * `capability.ts`.
 */
import type { AskedFundingConfig, OnRampTransaction } from '@latchkey/protocol/api'
import { registryKey } from '../../kernel/registry.ts'

/** A payment as it begins. */
export type FundingSession = {
  /** Ours, and random: what the provider knows the payment by. */
  readonly reference: string
  readonly address: string
  /** Nothing is really paid. */
  readonly isTest: boolean
  readonly config: AskedFundingConfig
}

/** What the provider says by itself of one payment, at a time of its own clock. */
export type ProviderNotice = {
  readonly reference: string
  readonly isTest: boolean
  readonly transaction: OnRampTransaction
  readonly atMs: number
}
export type WebhookReading =
  | { readonly type: 'notice'; readonly notice: ProviderNotice }
  /** Signed, and about nothing of ours. */
  | { readonly type: 'other' }
  | { readonly type: 'unsigned' }

export type OnRampProvider = {
  readonly id: string
  /** Where its page stands; undefined where the operator has no keys for it. */
  readonly pageAt: (isTest: boolean) => string | undefined
  readonly createSession: (session: FundingSession) => { readonly url: string }
  /** Undefined while it knows of no such payment. Throws `unavailable` where it gives no answer. */
  readonly status: (
    session: Pick<FundingSession, 'reference' | 'isTest'>,
    signal: AbortSignal,
  ) => Promise<OnRampTransaction | undefined>
  readonly parseWebhook: (headers: Headers, body: string, nowMs: number) => WebhookReading
}

export const onRampProvider = registryKey<OnRampProvider>('the provider of card payments')
