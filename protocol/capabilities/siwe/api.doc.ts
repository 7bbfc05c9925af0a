import type { RoutesDoc } from '../../rows/route.ts'
import type { siweRoutes } from './api.ts'

export const siweDoc: RoutesDoc<typeof siweRoutes> = {
  beginSiwe: {
    says: 'Makes the nonce of one message, for this address, this browser and the page of this origin. A page whose clock is wrong takes Issued At from `expires_at`, which is ten minutes later.',
    errors: [
      'disallowed_login_method',
      'origin_not_allowed',
      'invalid_data',
      'invalid_captcha',
      'captcha_disabled',
    ],
  },
  loginWithSiwe: {
    says: 'Starts a session for the wallet that signed the message: of a key, of a contract (ERC-1271), or of one that is not there yet (ERC-6492). A wallet whose key a user of the app imported is no login until that user links it.',
    errors: [
      'invalid_message',
      'invalid_credentials',
      'unsupported_chain_id',
      'unavailable',
      'disallowed_login_method',
      'allowlist_rejected',
      'max_accounts_reached',
      'linked_to_another_user',
    ],
  },
  linkWallet: {
    says: 'Adds the wallet that signed the message to the user.',
    errors: [
      'invalid_message',
      'invalid_credentials',
      'unsupported_chain_id',
      'unavailable',
      'disallowed_login_method',
      'linked_to_another_user',
    ],
  },
  unlinkWallet: {
    says: 'Takes the wallet from the user.',
    errors: ['linked_account_not_found', 'cannot_unlink_embedded_wallet', 'cannot_unlink_sole_account'],
  },
}
