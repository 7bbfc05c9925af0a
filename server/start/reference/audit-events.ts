/** Renders docs/reference/audit-events.md. A test compares the events with those that the server records. */
import { markdownPage, markdownTable } from '@latchkey/protocol/doc/markdown'

export const auditEvents: Readonly<Record<string, string>> = {
  'app.descriptor_added': 'An operator added a descriptor; the entry has its hash, kind and owner.',
  'app.descriptor_removed': 'An operator removed a descriptor; the entry has its hash.',
  'connected_app.allowed': 'The user allowed another app to use their wallet.',
  'connected_app.declined': 'The user refused a request of a connected app.',
  'connected_app.ended': 'A connection with another app ended.',
  'connected_app.used': 'The user approved a request of a connected app.',
  'farcaster.message_signed': 'A Farcaster message was signed; the entry has its hash.',
  'farcaster.signer_approved': 'The user allowed the app to write for their Farcaster account.',
  'farcaster.signer_revoked': 'The Farcaster signer was removed.',
  'funding.begun': 'A card payment was started.',
  'import.finished': 'An import of users is finished; the entry has its counts.',
  'mfa.enrolled': 'A second factor was added.',
  'mfa.passkeys_changed': 'The passkeys of the second factor changed.',
  'mfa.reset_by_operator': 'An operator removed the second factors of a user.',
  'mfa.unenrolled': 'A second factor was removed.',
  'session.all_revoked': 'The user ended all sessions.',
  'session.ended_by_user': 'The user ended this session from another one.',
  'session.device_bound': 'A session got its device key.',
  'session.fork_started': 'A fork code started a session.',
  'session.forked': 'A fork code was issued.',
  'session.handed_over': 'A session was handed over to another window.',
  'session.handover_created': 'A handover of a session was prepared.',
  'session.logged_out': 'The user logged out.',
  'session.reuse_detected': 'An old refresh token was used, so the session ended.',
  'session.revoked_by_operator': 'An operator ended sessions of a user.',
  'session.started': 'A user logged in.',
  'session.started_by_code': 'A one-use code started a session.',
  'session.superseded': 'A session ended whose tokens the browser never received.',
  'user.accepted_terms': 'The user accepted the terms.',
  'user.account_linked': 'The user linked an account.',
  'user.account_replaced': 'The user replaced an account, such as their e-mail address.',
  'user.account_unlinked': 'The user unlinked an account.',
  'user.login_denied_by_hook': 'The hook `login.before` denied a login.',
  'user.created_by_operator': 'An operator created the user before the first login.',
  'user.blocked_by_operator': 'An operator blocked the user.',
  'user.change_taken_back': 'A user undid a change by the link in a notice.',
  'user.created': 'A user was created.',
  'user.deleted': 'A user was deleted.',
  'user.notice_answered': 'The user answered a notice after a login.',
  'user.unblocked_by_operator': 'An operator unblocked the user.',
  'user.viewed_by_operator': 'An operator viewed the data of the user.',
  'wallet.created': 'A wallet was created.',
  'wallet.imported': 'A wallet was imported.',
  'wallet.key_exported': 'The key of a wallet was exported.',
  'wallet.recovered': 'A new device recovered a wallet.',
  'wallet.recovery_set': 'The recovery of a wallet was set.',
  'wallet.share_released':
    'A share was released for another operation of the wallet; the entry has its purpose.',
  'wallet.signed':
    'A share was released for a signature; the entry has kind, digest and place of the approval.',
}

export function renderAuditEvents(): string {
  return markdownPage(
    'Audit events',
    '`latchkey app audit` prints them ([Operating](../operating.md#audit-log)). An entry has the event, the time, the ids of app, user and session, and details without secrets, codes, e-mail addresses and phone numbers. Entries are deleted after a year.',
    markdownTable(
      ['event', 'recorded when'],
      Object.entries(auditEvents).map(([event, meaning]) => [`\`${event}\``, meaning]),
    ),
  )
}
