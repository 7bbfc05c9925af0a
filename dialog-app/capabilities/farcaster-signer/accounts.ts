/** The accounts of a signer: the one that it writes for, and the wallet whose key it is. */
import { findEmbeddedWallet, LatchkeyError, type UserRecord, type WalletAccount } from '@latchkey/protocol'

export type Fid = number
export type SignerAccounts = {
  wallet: WalletAccount
  fid: Fid
  /** The account says this key; whether it still may write, Farcaster knows. */
  publicKey: string | undefined
}

export function requireAccounts(user: UserRecord): SignerAccounts {
  const account = user.linkedAccounts.find((each) => each.type === 'farcaster')
  if (!account) throw new LatchkeyError('linked_account_not_found', 'The user has no Farcaster account')
  const wallet = findEmbeddedWallet(user)
  if (!wallet) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet')
  return { wallet, fid: account.fid, publicKey: account.signerPublicKey ?? undefined }
}
