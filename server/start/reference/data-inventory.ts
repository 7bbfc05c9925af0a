/** Renders docs/reference/data-inventory.md from the retention rules of the server's tables. */

import { formatDuration, markdownPage, markdownTable } from '@latchkey/protocol/doc/markdown'
import { capabilities } from '../capabilities.ts'

/** Tables with data of a user or a visitor: the content, and the end of rows without an expiry rule. */
export const storedData: Readonly<Record<string, [content: string, end?: string]>> = {
  users: [
    'The id, the app, and the times of creation and of accepted terms.',
    'until the deletion of the user, then `deleted_users_kept_days` (30)',
  ],
  linked_accounts: [
    'E-mail addresses, phone numbers, wallet addresses, and the id and profile at each provider.',
    'until it is unlinked or the user is deleted',
  ],
  user_metadata: ["The operator's metadata of a user.", 'until the deletion of the user'],
  expected_accounts: [
    'Accounts that an operator expects of a user before the first login.',
    'until the first login or the deletion of the user',
  ],
  external_ids: ["The id of a user in the operator's system.", 'until the deletion of the user'],
  sessions: ['Start, last use, and hashes of the keys. No address, no IP, no browser.'],
  session_codes: ['The hash of a code that starts a session.'],
  codes: ['The address and the hash of a code that was sent to it.'],
  known_browsers: ['The address and a random id of a browser that logged in with it.'],
  attempts: ['Counters by address, IP address or network, and user.'],
  request_replays: ['The stored response to a repeated call. It may contain an address.'],
  challenges: ['Single-use values of a login in progress.'],
  passkeys: ['The public key of each login passkey.', 'until it is unlinked or the user is deleted'],
  passkey_challenges: ['Single-use values of a passkey request.'],
  passkey_windows: ['The sealed response of a passkey window.'],
  oauth_flows: ['A login at a provider in progress; its result is sealed to the browser.'],
  login_windows: ['A login window in progress.'],
  window_starts: ['The proof that a window was opened by the dialog.'],
  oidc_logout_tokens: ['The hash of a used logout token of an OpenID provider.'],
  telegram_windows: ['A Telegram login in progress.'],
  telegram_used: ['The hash of a used Telegram login.'],
  siwe_nonces: ['The wallet address and the nonce of a login message.'],
  farcaster_channels: ['A Farcaster login in progress.'],
  cross_app_windows: ["A login with another app's wallet in progress."],
  mfa_methods: [
    'Second factors: the encrypted secret, the phone number, or the passkey.',
    'until it is removed or the user is deleted',
  ],
  mfa_verifications: ['The hash of a verification.'],
  mfa_tries: ['Wrong answers to a second factor.'],
  take_backs: ['The hash of an undo link, and the change that it undoes.'],
  login_notices: ['Changes that the next login shows.'],
  wallets: [
    'The address, the encrypted auth share and, by recovery method, the encrypted recovery share and the public key of a recovery passkey.',
    'until the deletion of the user, which destroys the shares at once',
  ],
  wallet_reshares: ['The encrypted shares of a change of recovery in progress.'],
  recovery_passkeys: ['The public key of a recovery passkey in progress.'],
  held_addresses: ['The address of a wallet that is being imported or linked.'],
  confirmations: ['A request that waits for its approval: message or transaction, amount, origin.'],
  sponsored_operations: [
    'A batch of calls whose fees the server pays: address, calls and signatures until it is in a block, the fee and the outcome.',
  ],
  wallet_spending: ['Amounts that count against the daily allowance.'],
  funding_sessions: ['Card payments: the wallet address, a random reference and the status.'],
  farcaster_signers: [
    'The Farcaster account and the public key of a signer.',
    'until the deletion of the user',
  ],
  openid_records: ['Tokens of connected apps, as hashes or encrypted.'],
  openid_authorizations: ['A consent in progress.'],
  connected_apps: ['Apps that may use the wallet, and since when.'],
  cross_app_requests: ['A request of a connected app, and its outcome.'],
  cross_app_spending: ['Amounts that count against the allowance of a connected app.'],
  analytics_events: [
    'Single events with the id of the user or browser. Only if the app sets `analytics` to `events`.',
  ],
  analytics_counts: ['Hourly counts of events, without ids.'],
  admin_audit: ['Calls of the Admin API about the user, without addresses of the user.'],
  admin_answers: ['The stored answer to a repeated call of the Admin API: ids and counts.'],
  operators: [
    'Operators of the dashboard: e-mail address, role, passkeys, subject at the OpenID provider. No data of users.',
  ],
  operator_oidc: [
    'The OpenID provider of operators, with the role of each group. No data of users.',
    'until you remove the provider',
  ],
  operator_invitations: ['Invitations of operators, with the hash of the link. No data of users.'],
  operator_sessions: ['Sessions of operators, with the hash of the cookie. No data of users.'],
  factor_resets: ['Requests of an operator to remove verification methods, until another operator decides.'],
  app_proposals: ['Changes of apps that two operators decide. No data of users.'],
  admin_keys: ['Keys of operators: name, hash, scopes. No data of users.'],
  webhook_events: ['Events for webhooks: ids and kinds. Only if the app has webhooks.'],
  webhook_deliveries: ['The outcome of each delivery. No data of users.'],
  webhook_attempts: ['The outcome of each attempt. No data of users.'],
  webhook_sequences: ['The number of events of a user.', 'until the row of a deleted user is deleted'],
  webhook_secrets: [
    'Encrypted secrets of webhooks. No data of users.',
    'until the webhook is deleted, or its rotation ends',
  ],
  imports: ['Imports of users with their counts. No data of users.'],
  import_parts: [
    'The parts of an import. No data of users.',
    'until the import ends, or 14 days after creation',
  ],
  import_chunks: [
    'Records of an import that are not imported yet: addresses, subjects at providers, metadata.',
    'until each is imported, an hour after the import ends, or 14 days after creation',
  ],
  import_rows: ['The result of each record of an import: the id of the user, without addresses.'],
  import_claims: [
    'Addresses and subjects at providers of a dry run.',
    'until the dry run ends, or 14 days after creation',
  ],
  session_browsers: [
    'The names of the browser and system of a login, such as Firefox and Windows, and the public key of the browser.',
  ],
  message_templates: ['Your words of mails and texts. No data of users.', 'until you reset the message'],
  descriptors: ['ERC-7730 files that you added. No data of users.', 'until you remove the descriptor'],
  descriptor_contracts: [
    'The contracts that they describe, with the hashes of their code. No data of users.',
    'until you remove the descriptor',
  ],
  hooks: ['The addresses of hooks. No data of users.', 'until the hook is deleted'],
  session_claims: ['Claims that the backend of the app added to host tokens.'],
  audit_log: ['Changes by and to the user ([events](audit-events.md)), without addresses.'],
}

function formatRetention(column: string, seconds: number): string {
  if (seconds === 0) return 'until it expires'
  const since = {
    created_at: 'creation',
    last_seen_at: 'last use',
    hour: 'the hour',
    ended_at: 'its end',
    at: 'the call',
  }[column]
  return `${formatDuration(seconds, 'seconds')} after ${since ?? 'its end'}`
}

const listRules = () =>
  capabilities.flatMap(({ expiryRules = [] }) =>
    expiryRules.flatMap((rule) => ('column' in rule && 'retentionSeconds' in rule ? [rule] : [])),
  )

/** Tables with rows that name a user or expire. */
export const listUserTables = (): string[] => [
  ...new Set([
    ...capabilities.flatMap(({ userRows = [] }) => userRows.map(({ table }) => table)),
    ...listRules().map(({ table }) => table),
  ]),
]

function describeEnd(table: string, end: string | undefined): string {
  if (end !== undefined) return end
  const ends = listRules()
    .filter((rule) => rule.table === table)
    .map(({ column, retentionSeconds }) => formatRetention(column, retentionSeconds))
  const goes = capabilities
    .flatMap(({ userRows = [] }) => userRows)
    .find((rule) => rule.table === table)?.goes
  const last = {
    'with the account': ', or the deletion of the user',
    'with the last row': ', or with the row of a deleted user',
    'by age': '',
  }
  return [...new Set(ends)].join(', or ') + last[goes ?? 'by age']
}

const receivers: [receiver: string, data: string, condition: string][] = [
  ['Your mail server', 'the address, and the text with its code or notice', 'a login by e-mail, or a notice'],
  ['Twilio', 'the phone number', 'a login or second factor by SMS'],
  [
    'OAuth provider',
    'the app of the provider, and the IP address of the browser',
    'the user chooses that login',
  ],
  ['Cloudflare Turnstile', 'the IP address and signals of the browser', 'the app has a captcha site key'],
  [
    'RPC nodes of the app',
    'wallet addresses and transactions, and the IP address of the browser',
    'the wallet reads or sends',
  ],
  [
    'WalletConnect relay',
    'which parties communicate when; the messages are encrypted',
    'the user connects a wallet on a phone',
  ],
  ['MoonPay', 'the wallet address; the rest is between the user and MoonPay', 'the user pays by card'],
  ['Your webhooks', 'ids and kinds of changes, without addresses', 'the app has webhooks'],
  [
    'Your hooks',
    'ids, login methods and domains of addresses; `message.send`: whole messages',
    'the app has hooks',
  ],
  ['Google or Apple', 'a file with a key of the recovery', 'the user chooses that recovery'],
  [
    'Farcaster relay',
    'a login message and the public key of a signer',
    'the user logs in or writes with Farcaster',
  ],
  ['Connected app', 'the wallet address and the outcome of each request', 'the user allows it'],
  ['Host page', 'the user object: id, accounts, wallet addresses', 'the user is logged in'],
]

export function renderDataInventory(): string {
  return markdownPage(
    'Data inventory',
    'The data of a user that a server stores, how long, and who receives it. Logs, metrics and traces contain no addresses, numbers or IPs. Latchkey has no third-party analytics, and sends nothing to its authors.',
    '## Stored by the server',
    markdownTable(
      ['table', 'content', 'stored'],
      Object.entries(storedData).map(([table, [content, end]]) => [
        `\`${table}\``,
        content,
        describeEnd(table, end),
      ]),
    ),
    'The server deletes expired rows about once a minute. Backups of the operator contain deleted data until the operator deletes them.',
    '## Stored in the browser',
    markdownTable(
      ['place', 'content', 'stored'],
      [
        [
          'storage of the dialog origin',
          'session tokens, a non-extractable proof key, the last login method',
          'until the logout',
        ],
        [
          'storage of the wallet origin',
          'the sealed device share and the device key',
          'until the browser deletes site data',
        ],
        [
          'storage of the host page',
          'name and icon of the provider (`latchkey:<app id>:provider`)',
          'until the app stops announcing it',
        ],
        [
          'cookies',
          'in cookie mode the refresh token; during a window login a nonce',
          '30 days; until the window ends',
        ],
      ],
    ),
    '## Who receives it',
    markdownTable(['receiver', 'data', 'when'], receivers),
    '## Rights of a user',
    [
      '- **Access**: `latchkey users show <user>` prints the data of a user.',
      '- **Deletion**: the user deletes the account in the dialog, or the operator runs `latchkey users delete <user>`.',
      '- **Portability**: the user exports the private key in the dialog.',
    ],
  )
}
