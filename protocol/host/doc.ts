/** Sentences and error codes of boundary 1, for the document. Nothing that runs reads this. */
import type { ContractDoc } from '../channel/doc.ts'
import type { hostContract } from './calls.ts'

export const hostDoc: ContractDoc<typeof hostContract> = {
  parties: { parent: 'loader, in the host page', child: 'dialog' },
  originRule: {
    parent: 'takes messages from its own frame only, and from the exact origin of the dialog URL',
    child:
      'takes messages from its parent window only, and from the exact origin that the server checked against the list of the app',
  },
  parent: {
    show: {
      summary: 'Shows the frame over the page: top layer, inert background, focus inside.',
      errors: ['client_destroyed'],
    },
    hide: { summary: 'Hides the frame and gives focus back.', errors: ['client_destroyed'] },
    event: {
      summary:
        'Tells the host what happened. Carries the user, never a token. An unknown type is passed over.',
      errors: [],
    },
    walletRequest: {
      summary:
        'Asks a wallet that an extension put into the page, or the page itself, which also says what wallets it has. Methods that connect, switch the chain and sign a login are lent, and `eth_sendTransaction` of an amount to an address (`from`, `to`, `value`, `chainId`); no other. What the wallet refuses is an answer, with its own code.',
      errors: ['invalid_data', 'method_not_found', 'generic_connect_wallet_error', 'call_timeout'],
    },
  },
  child: {
    hello: {
      summary:
        'First message after each handshake: version, what the loader serves, configuration, and how the host looks. The answer says what the dialog serves, and warns of settings that do nothing.',
      errors: ['unsupported_protocol', 'missing_or_invalid_latchkey_app_id'],
    },
    configure: { summary: 'Replaces the configuration of the host: theme, texts, methods.', errors: [] },
    viewport: {
      summary: 'The visible part of the host window changed, as by an on-screen keyboard.',
      errors: [],
    },
    login: {
      summary: 'Opens the dialog and settles when the user is logged in, or closed it.',
      errors: [
        'exited_auth_flow',
        'allowlist_rejected',
        'max_accounts_reached',
        'user_does_not_exist',
        'too_many_requests',
        'client_request_timeout',
        'unknown_auth_error',
      ],
    },
    logout: {
      summary: 'Ends the session. Local state goes even when the server does not answer.',
      errors: [],
    },
    user: { summary: 'The user, or null for a visitor.', errors: ['session_storage_unavailable'] },
    accessToken: {
      summary:
        'A host token, refreshed first when it has under 30 s left; null for a visitor. It names the user and opens nothing.',
      errors: ['session_storage_unavailable', 'client_request_timeout'],
    },
    more: {
      summary:
        'A call of the tables below that needs no user, by its name and with its data. Its answer is that of its row.',
      errors: ['method_not_found', 'invalid_data'],
    },
    read: {
      summary: 'Likewise a call that only reads a chain. It waits behind other such calls alone.',
      errors: ['method_not_found', 'invalid_data', 'too_many_requests'],
    },
    moreForUser: {
      summary: 'Likewise a call that waits for the user.',
      errors: ['method_not_found', 'invalid_data'],
    },
  },
}
