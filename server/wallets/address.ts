/** The address of a wallet: how it is written, and that whoever registers it has its key. */
import { type ChainType, walletProofDigest } from '@latchkey/protocol/wallet'
import { getAddress, isHex, recoverAddress, toHex } from 'viem/utils'
import { invalidCommit, shareContext } from './custody.ts'
import type { Wallet } from './store.ts'

/** The one form of an address: the checksum of EIP-55, or as it is where the case means something. */
export const writtenAs: { readonly [chain in ChainType]: (address: string) => string } = {
  ethereum: getAddress,
  solana: (address) => address,
}

/**
 * The new key itself says that it is this user's wallet, so nobody registers an address that is not theirs; and it
 * says so over bytes that no call of a host can have it sign.
 */
export async function assertAddressProven(place: Wallet, address: string, proof: string): Promise<void> {
  const digest = await walletProofDigest(shareContext(place, address))
  const signer = isHex(proof) ? await signerOf(toHex(digest), proof) : undefined
  if (signer !== address) throw invalidCommit('The proof was not signed by the key of the address')
}

async function signerOf(hash: `0x${string}`, signature: `0x${string}`): Promise<string | undefined> {
  try {
    return await recoverAddress({ hash, signature })
  } catch {
    return undefined
  }
}
