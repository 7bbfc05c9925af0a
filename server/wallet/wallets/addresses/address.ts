/** The address of a wallet: how it is written, and that whoever registers it has its key. */
import { createPublicKey, verify } from 'node:crypto'
import type { ChainType } from '@latchkey/protocol'
import { type WalletToProve, walletProofBytes, walletProofDigest } from '@latchkey/protocol/wallet'
import { base58 } from '@scure/base'
import type { Hex } from 'viem'
import { getAddress, hexToBytes, isHex, recoverAddress, toHex } from 'viem/utils'
import { invalidCommit, shareContext } from '../custody.ts'
import type { Wallet } from '../store.ts'

type Chain = {
  /** The one form of an address: the checksum of EIP-55, or as it is where the case means something. */
  written: (address: string) => string
  isProven: (wallet: WalletToProve, proof: Hex) => boolean | Promise<boolean>
}

const chains: { [chain in ChainType]: Chain } = {
  ethereum: {
    written: getAddress,
    async isProven(wallet, signature) {
      const hash = toHex(await walletProofDigest(wallet))
      return (await recoverAddress({ hash, signature })) === wallet.address
    },
  },
  solana: {
    written: (address) => address,
    isProven: (wallet, proof) =>
      verify(null, walletProofBytes(wallet), ed25519Key(base58.decode(wallet.address)), hexToBytes(proof)),
  },
}

/** Refuses another length than 32 bytes. */
const ed25519Key = (bytes: Uint8Array) =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') },
    format: 'jwk',
  })

export const writtenAs = (chain: ChainType, address: string): string => chains[chain].written(address)

/**
 * The new key itself says that it is this user's wallet, and that these are its shares, so nobody registers an address
 * that is not theirs, or others; and it says so over bytes that no call of a host can have it sign.
 */
export async function assertAddressProven(place: Wallet, address: string, given: Given): Promise<void> {
  const { proof, authShare, recovery } = given
  const wallet = { ...shareContext(place, address), authShare, recovery }
  if (isHex(proof) && (await isProven(place.chain_type, wallet, proof))) return
  throw invalidCommit('The proof was not signed by the key of the address')
}

type Given = Pick<WalletToProve, 'authShare' | 'recovery'> & { proof: string }

async function isProven(chain: ChainType, wallet: WalletToProve, proof: Hex): Promise<boolean> {
  try {
    return await chains[chain].isProven(wallet, proof)
  } catch {
    return false
  }
}
