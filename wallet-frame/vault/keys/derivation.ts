/** How keys follow from a wallet's secret. Each has one path, for ever: another path would be another wallet. */
import { type ChainType, LatchkeyError } from '@latchkey/protocol'
import {
  type ProvenWallet,
  type ShareIdentity,
  type ShareKind,
  walletProofBytes,
  walletProofDigest,
} from '@latchkey/protocol/wallet'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { type HexText, signDigest } from '../signing/signature.ts'
import type { EvmAddress } from './checksum.ts'
import { seedOf } from './entropy.ts'
import { addressOf } from './evm-address.ts'
import { type SecretBytes, wipe, withSecret } from './secret-bytes.ts'
import { slip10 } from './slip10.ts'

/** m/44'/60'/0'/0/0 */
const EVM_PATH = [44 + HARDENED_OFFSET, 60 + HARDENED_OFFSET, HARDENED_OFFSET, 0, 0]
/** m/44'/501'/0'/0' */
const SOLANA_PATH = [44, 501, 0, 0]

export const evmPrivateKey = (entropy: Uint8Array): Promise<SecretBytes> =>
  withSecret(seedOf(entropy), (seed) => bip32(seed, EVM_PATH))

export const evmAddressOf = (entropy: Uint8Array): Promise<EvmAddress> =>
  withSecret(evmPrivateKey(entropy), addressOf)

export const solanaPrivateKey = (entropy: Uint8Array): Promise<SecretBytes> =>
  withSecret(seedOf(entropy), (seed) => {
    const { key, chainCode } = slip10(seed, SOLANA_PATH)
    wipe(chainCode)
    return key
  })

export const solanaPublicKey = (entropy: Uint8Array): Promise<Uint8Array> =>
  withSecret(solanaPrivateKey(entropy), (key) => ed25519.getPublicKey(key))

export type Derivation = {
  privateKey: (secret: Uint8Array) => Promise<SecretBytes>
  /** Gives the address in the one spelling that a wallet's address has; undefined for bytes that are no secret. */
  addressOf: (secret: Uint8Array) => Promise<string | undefined>
  /** Shows the server that the key of this address was here. */
  prove: (wallet: ProvenWallet, privateKey: Uint8Array) => Promise<HexText>
}

const ethereumProof: Derivation['prove'] = async (wallet, key) =>
  signDigest(await walletProofDigest(wallet), key)

/** How a wallet follows from its secret. What has no row here can be neither made nor opened. */
const derivations: { [Kind in ShareKind]?: { [Chain in ChainType]?: Derivation } } = {
  entropy: {
    ethereum: {
      privateKey: evmPrivateKey,
      addressOf: evmAddressOf,
      prove: ethereumProof,
    },
    solana: {
      privateKey: solanaPrivateKey,
      addressOf: async (entropy) => base58.encode(await solanaPublicKey(entropy)),
      prove: async (wallet, key) => `0x${bytesToHex(ed25519.sign(walletProofBytes(wallet), key))}`,
    },
  },
  'imported-key': {
    ethereum: {
      privateKey: async (key) => new Uint8Array(key),
      // What shares of several wallets combine to may be out of the range of keys.
      addressOf: async (key) => (secp256k1.utils.isValidSecretKey(key) ? addressOf(key) : undefined),
      prove: ethereumProof,
    },
  },
}

export function derivationOf({ kind, chain }: Pick<ShareIdentity, 'kind' | 'chain'>): Derivation {
  const derivation = derivations[kind]?.[chain]
  if (derivation) return derivation
  throw new LatchkeyError('not_supported', `Wallets of ${chain} from ${kind} are not supported`)
}

export function bip32(seed: Uint8Array, path: readonly number[]): SecretBytes {
  return extractKey(bip32Node(seed, path))
}

/** Wipes the key of each step but the last, which the library's own walk along a path does not. */
export function bip32Node(seed: Uint8Array, path: readonly number[]): HDKey {
  let node = HDKey.fromMasterSeed(seed)
  for (const index of path) {
    const parent = node
    node = parent.deriveChild(index)
    parent.wipePrivateData()
  }
  return node
}

/** Returns a copy of the node's key and wipes the node. */
export function extractKey(node: HDKey): SecretBytes {
  const copy = node.privateKey
  try {
    if (copy === null) throw new Error('A derived node without a private key')
    return new Uint8Array(copy)
  } finally {
    wipe(copy)
    node.wipePrivateData()
  }
}
