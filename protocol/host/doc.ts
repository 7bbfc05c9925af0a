/** Descriptions and error codes of boundary 1 for the documentation. Not used at run time. */
import type { ContractDoc } from '../channel/doc.ts'
import type { hostContract } from './calls.ts'

export const hostDoc: ContractDoc<typeof hostContract> = {
  parties: { parent: 'loader, in the host page', child: 'dialog' },
  originRule: {
    parent: 'accepts messages from its own frame and the exact origin of the dialog URL only',
    child:
      "accepts messages from its parent window and the exact origin that the server checked against the app's list only",
  },
  parent: {
    show: {
      summary: 'Shows the frame over the page: top layer, inert background, focus inside.',
      errors: ['client_destroyed'],
    },
    hide: { summary: 'Hides the frame and restores the focus.', errors: ['client_destroyed'] },
    event: {
      summary:
        'Sends an event to the host page. It contains the user, never a token. Unknown event types are ignored.',
      errors: [],
    },
    walletRequest: {
      summary:
        "Sends a request to a wallet extension of the page, or to the page itself, for example to list its wallets. Allowed methods: connecting, switching the chain, signing a login, and `eth_sendTransaction` of a plain transfer (`from`, `to`, `value`, `chainId`). A rejection by the wallet is an answer with the wallet's code.",
      errors: ['invalid_data', 'method_not_found', 'generic_connect_wallet_error', 'call_timeout'],
    },
  },
  child: {
    hello: {
      summary:
        "First message after each handshake: protocol version, loader capabilities, configuration and color scheme. The answer contains the dialog's capabilities, and warnings about settings without effect.",
      errors: ['unsupported_protocol', 'missing_or_invalid_latchkey_app_id'],
    },
    configure: { summary: "Replaces the host's configuration: theme, texts, methods.", errors: [] },
    viewport: {
      summary:
        'Reports a change of the visible part of the host window, for example by an on-screen keyboard.',
      errors: [],
    },
    login: {
      summary: 'Opens the dialog. Settles when the user has logged in or closed it.',
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
      summary: 'Ends the session. Clears local state even if the server does not respond.',
      errors: [],
    },
    user: {
      summary: 'Returns the user, or null if nobody is logged in.',
      errors: ['session_storage_unavailable'],
    },
    accessToken: {
      summary:
        'Returns a host token, refreshed if less than 30 s remain, or null if nobody is logged in. The token only identifies the user.',
      errors: ['session_storage_unavailable', 'client_request_timeout'],
    },
    more: {
      summary:
        'Runs a call of the tables below that needs no user, by its name and with its data. The answer is that of its row.',
      errors: ['method_not_found', 'invalid_data'],
    },
    read: {
      summary: 'Like `more`, for calls that only read a chain. They have their own rate limit.',
      errors: ['method_not_found', 'invalid_data', 'too_many_requests'],
    },
    moreForUser: {
      summary: 'Like `more`, for calls that need the user.',
      errors: ['method_not_found', 'invalid_data'],
    },
  },
}
