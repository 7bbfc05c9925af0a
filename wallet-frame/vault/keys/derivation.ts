/** Derives keys from a wallet's secret. The paths must never change: another path is another wallet. */
import { type ChainType, LatchkeyError } from '@latchkey/protocol'
import {
  type ShareIdentity,
  type ShareKind,
  type WalletToProve,
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
import { entropyToSeed } from './entropy.ts'
import { privateKeyToAddress } from './evm-address.ts'
import { type SecretBytes, wipe, withSecret } from './secret-bytes.ts'
import { slip10 } from './slip10.ts'

/** m/44'/60'/0'/0/0 */
const EVM_PATH = [44 + HARDENED_OFFSET, 60 + HARDENED_OFFSET, HARDENED_OFFSET, 0, 0]
/** m/44'/501'/0'/0' */
const SOLANA_PATH = [44, 501, 0, 0]

export const deriveEvmKey = (entropy: Uint8Array): Promise<SecretBytes> =>
  withSecret(entropyToSeed(entropy), (seed) => deriveBip32Key(seed, EVM_PATH))

export const deriveEvmAddress = (entropy: Uint8Array): Promise<EvmAddress> =>
  withSecret(deriveEvmKey(entropy), privateKeyToAddress)

export const deriveSolanaKey = (entropy: Uint8Array): Promise<SecretBytes> =>
  withSecret(entropyToSeed(entropy), (seed) => {
    const { key, chainCode } = slip10(seed, SOLANA_PATH)
    wipe(chainCode)
    return key
  })

export const deriveSolanaPublicKey = (entropy: Uint8Array): Promise<Uint8Array> =>
  withSecret(deriveSolanaKey(entropy), (key) => ed25519.getPublicKey(key))

export const signEd25519 = (message: Uint8Array, key: Uint8Array): HexText =>
  `0x${bytesToHex(ed25519.sign(message, key))}`

export type Derivation = {
  deriveKey: (secret: Uint8Array) => Promise<SecretBytes>
  /** Returns the address in its canonical spelling, or undefined if the bytes are not a valid secret. */
  toAddress: (secret: Uint8Array) => Promise<string | undefined>
  /** Signs the proof for the server that the vault held the key of this address. */
  prove: (wallet: WalletToProve, privateKey: Uint8Array) => Promise<HexText>
}

const ethereumProof: Derivation['prove'] = async (wallet, key) =>
  signDigest(await walletProofDigest(wallet), key)

/**
 * The derivation for each kind of secret and chain. A combination without a row can be neither created nor
 * opened.
 */
const derivations: { [Kind in ShareKind]?: { [Chain in ChainType]?: Derivation } } = {
  entropy: {
    ethereum: {
      deriveKey: deriveEvmKey,
      toAddress: deriveEvmAddress,
      prove: ethereumProof,
    },
    solana: {
      deriveKey: deriveSolanaKey,
      toAddress: async (entropy) => base58.encode(await deriveSolanaPublicKey(entropy)),
      prove: async (wallet, key) => signEd25519(walletProofBytes(wallet), key),
    },
  },
  'imported-key': {
    ethereum: {
      deriveKey: async (key) => new Uint8Array(key),
      // Shares of different wallets may combine to a value outside the range of valid keys.
      toAddress: async (key) =>
        secp256k1.utils.isValidSecretKey(key) ? privateKeyToAddress(key) : undefined,
      prove: ethereumProof,
    },
  },
}

export function getDerivation({ kind, chain }: Pick<ShareIdentity, 'kind' | 'chain'>): Derivation {
  const derivation = derivations[kind]?.[chain]
  if (derivation) return derivation
  throw new LatchkeyError('not_supported', `Wallets of ${chain} from ${kind} are not supported`)
}

export function deriveBip32Key(seed: Uint8Array, path: readonly number[]): SecretBytes {
  return extractKey(deriveBip32Node(seed, path))
}

/** Derives a node and wipes each intermediate key, which the library's `derive` does not do. */
export function deriveBip32Node(seed: Uint8Array, path: readonly number[]): HDKey {
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
