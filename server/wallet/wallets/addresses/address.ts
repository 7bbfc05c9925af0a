/** Normalizes wallet addresses and verifies that the registering user holds the key. */
import type { ChainType } from '@latchkey/protocol'
import {
  type SolanaAddressToProve,
  solanaAddressProofBytes,
  solanaAddressProofDigest,
  type WalletToProve,
  walletProofBytes,
  walletProofDigest,
} from '@latchkey/protocol/wallet'
import { base58 } from '@scure/base'
import type { Hex } from 'viem'
import { getAddress, hexToBytes, isHex, recoverAddress, toHex } from 'viem/utils'
import { isEd25519Signature } from '../../../kernel/ed25519.ts'
import { type Custody, invalidCommit, shareContext } from '../custody.ts'
import type { Wallet } from '../store.ts'

type Chain = {
  /** Returns the canonical form: the EIP-55 checksum, or the input if the case is significant. */
  normalize: (address: string) => string
  isProven: (wallet: WalletToProve, proof: Hex) => boolean | Promise<boolean>
}

const chains: { [chain in ChainType]: Chain } = {
  ethereum: {
    normalize: getAddress,
    isProven: async (wallet, proof) => isSignedDigest(await walletProofDigest(wallet), wallet.address, proof),
  },
  solana: {
    normalize: (address) => address,
    isProven: (wallet, proof) => isSignedBytes(walletProofBytes(wallet), wallet.address, proof),
  },
}

const isSignedDigest = async (digest: Uint8Array, address: string, signature: Hex) =>
  (await recoverAddress({ hash: toHex(digest), signature })) === address

const isSignedBytes = (bytes: Uint8Array, address: string, signature: Hex) =>
  isEd25519Signature(bytes, base58.decode(address), hexToBytes(signature))

export const toCanonicalAddress = (chain: ChainType, address: string): string =>
  chains[chain].normalize(address)

/**
 * Verifies that the wallet's key signed its user, wallet and shares. So nobody can register a foreign address or
 * replace shares. No host call can make the wallet sign these bytes.
 */
export async function assertAddressProven(slot: Wallet, address: string, input: AddressProof): Promise<void> {
  const { proof, authShare, recovery } = input
  const wallet = { ...shareContext(slot, address), authShare, recovery }
  if (isHex(proof) && (await isProven(slot.chain_type, wallet, proof))) return
  throw invalidCommit('The proof is not signed by the key of the address')
}

type AddressProof = Pick<WalletToProve, 'authShare' | 'recovery'> & { proof: string }

async function isProven(chain: ChainType, wallet: WalletToProve, proof: Hex): Promise<boolean> {
  try {
    return await chains[chain].isProven(wallet, proof)
  } catch {
    return false
  }
}

export type SolanaAddressProof = { solanaAddress: string; proof: string; solanaProof: string }

/** Verifies that the wallet's key and the key of the Solana address signed that they belong together. */
export async function assertSolanaAddressProven(
  { wallet, address }: Custody,
  { solanaAddress, proof, solanaProof }: SolanaAddressProof,
): Promise<void> {
  const { app_id: appId, user_id: userId, id: walletId } = wallet
  const claim = { appId, userId, walletId, address, solanaAddress }
  if (isHex(proof) && isHex(solanaProof) && (await isClaimProven(claim, proof, solanaProof))) return
  throw invalidCommit('The proof is not signed by the keys of the two addresses')
}

async function isClaimProven(claim: SolanaAddressToProve, proof: Hex, solanaProof: Hex): Promise<boolean> {
  try {
    return (
      (await isSignedDigest(await solanaAddressProofDigest(claim), claim.address, proof)) &&
      isSignedBytes(solanaAddressProofBytes(claim), claim.solanaAddress, solanaProof)
    )
  } catch {
    return false
  }
}
