/** The accounts that a signer needs: the Farcaster account, and the wallet that signs. */
import { findEmbeddedWallet, LatchkeyError, type UserRecord, type WalletAccount } from '@latchkey/protocol'

export type Fid = number
export type SignerAccounts = {
  wallet: WalletAccount
  fid: Fid
  /** The last known key of the account. Farcaster decides whether it is still valid. */
  publicKey: string | undefined
}

export function requireAccounts(user: UserRecord): SignerAccounts {
  const account = user.linkedAccounts.find((each) => each.type === 'farcaster')
  if (!account) throw new LatchkeyError('linked_account_not_found', 'The user has no Farcaster account')
  const wallet = findEmbeddedWallet(user)
  if (!wallet) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
  return { wallet, fid: account.fid, publicKey: account.signerPublicKey ?? undefined }
}
