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
      says: 'Shows the frame over the page: top layer, inert background, focus inside.',
      errors: ['client_destroyed'],
    },
    hide: { says: 'Hides the frame and gives focus back.', errors: ['client_destroyed'] },
    event: {
      says: 'Tells the host what happened. Carries the user, never a token. An unknown type is passed over.',
      errors: [],
    },
    wallets: {
      says: 'The wallets that extensions put into the page of the host.',
      errors: ['client_destroyed'],
    },
    walletRequest: {
      says: 'Asks one of those wallets. Methods that connect, switch the chain and sign a login are lent, no other. What the wallet refuses is an answer, with its own code.',
      errors: ['invalid_data', 'method_not_found', 'generic_connect_wallet_error', 'call_timeout'],
    },
  },
  child: {
    hello: {
      says: 'First message after each handshake: version, what the loader serves, configuration, and how the host looks. The answer says what the dialog serves, and warns of settings that do nothing.',
      errors: ['unsupported_protocol', 'missing_or_invalid_latchkey_app_id'],
    },
    configure: { says: 'Replaces the configuration of the host: theme, texts, methods.', errors: [] },
    viewport: {
      says: 'The visible part of the host window changed, as by an on-screen keyboard.',
      errors: [],
    },
    login: {
      says: 'Opens the dialog and settles when the user is logged in, or closed it.',
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
      says: 'Ends the session. Local state goes even when the server does not answer.',
      errors: [],
    },
    user: { says: 'The user, or null for a visitor.', errors: ['session_storage_unavailable'] },
    accessToken: {
      says: 'A host token, refreshed first when it has under 30 s left; null for a visitor. It names the user and opens nothing.',
      errors: ['session_storage_unavailable', 'client_request_timeout'],
    },
    forkSession: {
      says: 'A one-use code of 60 s from which another page of the app starts a session that ends with this one. It signs where the device has its share, and may not recover, create, export, link, delete or revoke.',
      errors: ['must_be_authenticated', 'insufficient_scope'],
    },
    createWallet: {
      says: 'Makes the embedded wallet of the user.',
      errors: ['must_be_authenticated', 'embedded_wallet_already_exists', 'unknown_embedded_wallet_error'],
    },
    signMessage: {
      says: 'Shows the message; signs it after a visible, trusted click.',
      errors: [
        'must_be_authenticated',
        'embedded_wallet_not_found',
        'invalid_message',
        'user_rejected_request',
        'unable_to_sign',
        'not_visible',
        'too_many_requests',
      ],
    },
    link: {
      says: 'Opens the dialog to link another account of a kind to the user.',
      errors: [
        'must_be_authenticated',
        'exited_link_flow',
        'cannot_link_more_of_type',
        'linked_to_another_user',
        'disallowed_login_method',
        'failed_to_link_account',
        'too_many_requests',
      ],
    },
    unlink: {
      says: 'Asks the user whether an account is to be unlinked, and unlinks it. The last one stays.',
      errors: [
        'must_be_authenticated',
        'exited_link_flow',
        'linked_account_not_found',
        'cannot_unlink_sole_account',
        'cannot_unlink_embedded_wallet',
        'missing_or_invalid_mfa',
      ],
    },
    connectWallet: {
      says: 'Opens the dialog to connect a wallet that the user brings. Nobody is logged in by that, and nothing is proved.',
      errors: [
        'exited_link_flow',
        'disallowed_login_method',
        'user_rejected_request',
        'client_request_timeout',
        'generic_connect_wallet_error',
      ],
    },
    updateEmail: {
      says: 'Opens the dialog to put another e-mail address in the place of the one that the user has.',
      errors: [
        'must_be_authenticated',
        'exited_link_flow',
        'linked_account_not_found',
        'linked_to_another_user',
      ],
    },
  },
}
