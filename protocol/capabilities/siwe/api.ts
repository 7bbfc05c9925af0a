import * as v from 'valibot'
import { epochSeconds, text } from '../../entities/primitives.ts'
import { userRecordSchema } from '../../entities/user.ts'
import { caip2EthereumChain } from '../../entities/wallets/chain-primitives.ts'
import { solanaChain, walletAddress } from '../../entities/wallets/wallet-address.ts'
import { keepsName } from '../../names/naming.ts'
import { product } from '../../names/product.ts'
import type { Routes, RoutesDoc } from '../../rows/route.ts'
import { authAnswerSchema, loginVault } from '../sessions.ts'
import { siweLimits } from './limits.ts'

/** The name of a wallet or a connector. The names of embedded wallets are reserved. */
const nameBut = (own: string) =>
  v.exactOptional(
    v.pipe(v.string(), v.maxLength(siweLimits.maxNameLength), v.notValue(own, 'Not yours'), keepsName()),
  )

/** The specification names these fields in camelCase on the wire. */
const signed = {
  message: text,
  /**
   * In hex, for Solana too. A signature for an undeployed contract includes its deployment data (ERC-6492).
   */
  signature: v.pipe(v.string(), v.maxLength(siweLimits.maxSignatureLength), v.regex(/^0x([0-9a-fA-F]{2})+$/)),
  chainId: v.pipe(v.union([caip2EthereumChain, solanaChain]), keepsName()),
  walletClientType: nameBut(product.walletClient),
  connectorType: nameBut('embedded'),
}

export const siweRoutes = {
  beginSiwe: {
    method: 'POST',
    path: '/siwe/init',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({
      address: walletAddress,
      token: v.exactOptional(text),
      /** The origin of the host page, as the handshake proved it, or the dialog origin without a host. */
      origin: v.exactOptional(text),
    }),
    output: v.object({ nonce: text, address: walletAddress, expiresAt: epochSeconds }),
  },
  loginWithSiwe: {
    method: 'POST',
    path: '/siwe/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ ...signed, vault: loginVault }),
    output: authAnswerSchema,
  },
  linkWallet: {
    method: 'POST',
    path: '/siwe/link',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object(signed),
    output: userRecordSchema,
  },
  unlinkWallet: {
    method: 'POST',
    path: '/siwe/unlink',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ address: walletAddress }),
    output: userRecordSchema,
  },
} as const satisfies Routes

export const siweDoc: RoutesDoc<typeof siweRoutes> = {
  beginSiwe: {
    summary:
      "Creates the nonce of one message, for this address, this browser and the host page's origin. A Solana address needs the app setting `solana_wallet_auth`. A page with a wrong clock derives Issued At from `expires_at`, which is ten minutes later.",
    errors: [
      'disallowed_login_method',
      'origin_not_allowed',
      'invalid_data',
      'invalid_captcha',
      'captcha_disabled',
    ],
  },
  loginWithSiwe: {
    summary:
      'Starts a session for the wallet that signed the message. Supports keys, contracts (ERC-1271) and undeployed contracts (ERC-6492), and keys of Solana. A wallet whose key a user of the app imported cannot log in until that user links it.',
    errors: [
      'invalid_message',
      'invalid_credentials',
      'unsupported_chain_id',
      'unavailable',
      'disallowed_login_method',
      'allowlist_rejected',
      'login_denied',
      'max_accounts_reached',
      'linked_to_another_user',
    ],
  },
  linkWallet: {
    summary: 'Links the wallet that signed the message to the user.',
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
    summary: 'Unlinks the wallet from the user.',
    errors: ['linked_account_not_found', 'cannot_unlink_embedded_wallet', 'cannot_unlink_sole_account'],
  },
}
