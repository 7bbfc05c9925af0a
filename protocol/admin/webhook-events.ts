/**
 * The events of webhooks. Payloads contain ids and kinds: no addresses, secrets, codes or tokens. A type never changes
 * its meaning, and its payload only gains fields.
 */
import * as v from 'valibot'
import { mfaMethodTypes } from '../entities/mfa-methods.ts'
import { id, text } from '../entities/primitives.ts'

type WebhookEvent = {
  /** Completes "Sent when …", without a full stop. */
  when: string
  /** The fields of `data` besides `appId` and, for events of users, `userId` and `sequence`. */
  fields: v.ObjectEntries
}

const ofAccount = { accountType: text }
const ofWallet = { walletId: id }
const ofNewWallet = { ...ofWallet, chainType: text }
const methods = v.array(v.picklist(mfaMethodTypes))

export const sessionEndReasons = [
  'logout',
  'user',
  'all_sessions',
  'operator',
  'token_reuse',
  'superseded',
] as const
export const webhookPauseReasons = ['operator', 'gone', 'failing'] as const

/** Events about a user. */
export const userEvents = {
  'user.created': { when: 'a user signs up', fields: ofAccount },
  'user.authenticated': {
    when: 'a user logs in, also for the first time',
    fields: { sessionId: id, method: text },
  },
  'user.linked_account': { when: 'a user links an account', fields: ofAccount },
  'user.unlinked_account': { when: 'an account of a user is unlinked', fields: ofAccount },
  'user.updated_account': {
    when: 'a user replaces an account, such as their e-mail address',
    fields: ofAccount,
  },
  'user.reverted_change': {
    when: 'a user undoes a change of accounts or verification methods by the link in a notice. Read the user again',
    fields: { kind: v.picklist(['account', 'factor']) },
  },
  'user.deleted': { when: 'a user is deleted', fields: { by: v.picklist(['user', 'operator']) } },
  'user.blocked': { when: 'an operator blocks a user', fields: {} },
  'user.unblocked': { when: 'an operator removes the block of a user', fields: {} },
  'user.wallet_created': { when: 'a wallet is created', fields: ofNewWallet },
  'wallet.imported': { when: 'a wallet is imported', fields: ofNewWallet },
  'wallet.exported': { when: 'a user exports the key of a wallet', fields: ofWallet },
  'wallet.recovered': { when: 'a new device recovers a wallet', fields: ofWallet },
  'wallet.recovery_changed': {
    when: 'the recovery method of a wallet is set',
    fields: { ...ofWallet, method: text },
  },
  'mfa.enabled': { when: 'a user adds a verification method', fields: { methods } },
  'mfa.disabled': { when: 'verification methods of a user are removed', fields: { methods } },
  'session.revoked': {
    when: 'a session ends before its time. `session_id` is null if all sessions of the user ended. Blocking a user ends their sessions without this event',
    fields: { sessionId: v.nullable(id), reason: v.picklist(sessionEndReasons) },
  },
  'cross_app.granted': {
    when: 'a user allows another app to use their wallet',
    fields: { clientId: text },
  },
  'cross_app.revoked': { when: 'a connection with another app ends', fields: { clientId: text } },
} as const satisfies Readonly<Record<string, WebhookEvent>>

/** Events about an app. */
export const appEvents = {
  'approvals.proposed': {
    when: 'an operator proposes settings or a requester that need a second operator',
    fields: { proposalId: id, settings: v.array(text), operator: text },
  },
  'approvals.changed': {
    when: 'such a proposal is approved, cancelled or applied',
    fields: {
      proposalId: id,
      settings: v.array(text),
      state: v.picklist(['approved', 'cancelled', 'applied']),
      operator: text,
    },
  },
  'import.finished': {
    when: 'an import of users is finished. Users of an import have no event of their own before their first login',
    fields: {
      importId: id,
      dryRun: v.boolean(),
      created: v.number(),
      merged: v.number(),
      conflicts: v.number(),
      skipped: v.number(),
    },
  },
} as const satisfies Readonly<Record<string, WebhookEvent>>

/** Events about webhooks themselves. */
export const ownEvents = {
  'webhook.paused': {
    when: 'the server pauses another webhook of the app',
    fields: { webhookId: id, reason: v.picklist(webhookPauseReasons) },
  },
  'webhook.test': { when: 'an operator asks for it', fields: { webhookId: id } },
} as const satisfies Readonly<Record<string, WebhookEvent>>

export const webhookEvents = { ...userEvents, ...appEvents, ...ownEvents } as const
export type WebhookEventType = keyof typeof webhookEvents
export const webhookEventTypes = Object.keys(webhookEvents) as WebhookEventType[]

type Fields<Event extends WebhookEvent> = v.InferOutput<v.ObjectSchema<Event['fields'], undefined>>
/** The fields of an event that the server adds to those of its kind. */
export type EventFields<Type extends WebhookEventType = WebhookEventType> = Type extends WebhookEventType
  ? Fields<(typeof webhookEvents)[Type]>
  : never

const base = { appId: text }
const ofUser = { ...base, userId: id, sequence: v.pipe(v.number(), v.safeInteger(), v.minValue(1)) }

/** Returns the schema of `data`. */
export const eventDataSchema = (type: WebhookEventType): v.GenericSchema =>
  v.strictObject({ ...(type in userEvents ? ofUser : base), ...webhookEvents[type].fields })
