/** The webhook event of each audit event. Other audit events have none. */
import type { MfaMethodType } from '@latchkey/protocol'
import type { EventFields, WebhookEventType } from '@latchkey/protocol/admin'

type Details = Readonly<Record<string, string | number | boolean | null>>
type Entry = { sessionId: string | null; details: Details }
export type OutgoingEvent = {
  [Type in WebhookEventType]: { type: Type; fields: EventFields<Type> }
}[WebhookEventType]
type Convert = (entry: Entry) => OutgoingEvent | undefined

const toAccount = ({ details }: Entry) => ({ accountType: String(details.account) })
const toWallet = ({ details }: Entry) => ({ walletId: String(details.wallet) })
const toNewWallet = (entry: Entry) => ({ ...toWallet(entry), chainType: String(entry.details.chain) })
const toMethods = (names: Details[string]) => String(names).split(' ') as MfaMethodType[]

type EndReason = EventFields<'session.revoked'>['reason']
const ended =
  (reason: EndReason): Convert =>
  ({ sessionId }) => ({ type: 'session.revoked', fields: { sessionId, reason } })

export const auditedEvents: Readonly<Record<string, Convert>> = {
  'user.created': (entry) => ({ type: 'user.created', fields: toAccount(entry) }),
  'session.started': ({ sessionId, details }) => ({
    type: 'user.authenticated',
    fields: { sessionId: String(sessionId), method: String(details.method) },
  }),
  'user.account_linked': (entry) => ({ type: 'user.linked_account', fields: toAccount(entry) }),
  'user.account_unlinked': (entry) => ({ type: 'user.unlinked_account', fields: toAccount(entry) }),
  'user.account_replaced': (entry) => ({ type: 'user.updated_account', fields: toAccount(entry) }),
  'user.change_taken_back': ({ details }) =>
    details.outcome === 'taken back'
      ? {
          type: 'user.reverted_change',
          fields: { kind: details.kind === 'factor' ? 'factor' : 'account' },
        }
      : undefined,
  'user.deleted': ({ details }) => ({
    type: 'user.deleted',
    fields: { by: details.by === 'user' ? 'user' : 'operator' },
  }),
  'user.blocked_by_operator': () => ({ type: 'user.blocked', fields: {} }),
  'user.unblocked_by_operator': () => ({ type: 'user.unblocked', fields: {} }),
  'wallet.created': (entry) => ({ type: 'user.wallet_created', fields: toNewWallet(entry) }),
  'wallet.imported': (entry) => ({ type: 'wallet.imported', fields: toNewWallet(entry) }),
  'wallet.key_exported': (entry) => ({ type: 'wallet.exported', fields: toWallet(entry) }),
  'wallet.recovered': (entry) => ({ type: 'wallet.recovered', fields: toWallet(entry) }),
  'wallet.recovery_set': (entry) => ({
    type: 'wallet.recovery_changed',
    fields: { ...toWallet(entry), method: String(entry.details.method) },
  }),
  'mfa.enrolled': ({ details }) => ({
    type: 'mfa.enabled',
    fields: { methods: toMethods(details.method ?? '') },
  }),
  'mfa.unenrolled': ({ details }) => ({
    type: 'mfa.disabled',
    fields: { methods: toMethods(details.method ?? '') },
  }),
  'mfa.reset_by_operator': ({ details }) =>
    details.methods === ''
      ? undefined
      : { type: 'mfa.disabled', fields: { methods: toMethods(details.methods ?? '') } },
  'session.logged_out': ended('logout'),
  'session.all_revoked': () => ({
    type: 'session.revoked',
    fields: { sessionId: null, reason: 'all_sessions' },
  }),
  'session.ended_by_user': ended('user'),
  'session.revoked_by_operator': ended('operator'),
  'session.reuse_detected': ended('token_reuse'),
  'session.superseded': ended('superseded'),
  'connected_app.allowed': ({ details }) => ({
    type: 'cross_app.granted',
    fields: { clientId: String(details.client) },
  }),
  'connected_app.ended': ({ details }) => ({
    type: 'cross_app.revoked',
    fields: { clientId: String(details.client) },
  }),
}
