/**
 * The wallet proof, signed by a new wallet's key. It prevents registering a foreign address, or other shares than the
 * vault created.
 *
 * No signing call of a host can produce this signature. On Ethereum it covers the SHA-256 of the bytes below, while
 * messages, typed data and transactions are signed over Keccak-256. Solana signs bytes unchanged, so dialog and vault
 * refuse to sign data that starts with the tag. There the proof covers the bytes themselves: their digest has no tag,
 * and a host could request it as a message.
 */
import { product } from '../names/product.ts'
import type { StoredRecoveryShare } from './recovery.ts'
import { canonical, type SealedShare, type WalletLine } from './shares.ts'

export const proofTag = `${product.key}/wallet-proof/`
const version = 2

/** A wallet with its registered shares, sealed to the server. */
export type WalletToProve = WalletLine & {
  address: string
  authShare: SealedShare
  recovery: StoredRecoveryShare
}

export function walletProofBytes(wallet: WalletToProve): Uint8Array<ArrayBuffer> {
  const { appId, userId, walletId, kind, chain, generation, address, authShare, recovery } = wallet
  const fields = [appId, userId, walletId, kind, chain, String(generation), address]
  const head = new TextEncoder().encode(`${proofTag}${version}\n`)
  return concatBytes(head, canonical([...fields, ...flattenFields(authShare), ...flattenFields(recovery)]))
}

/** A Solana address that the secret of an Ethereum wallet derives. */
export type SolanaAddressToProve = {
  appId: string
  userId: string
  walletId: string
  /** The Ethereum address of the wallet. */
  address: string
  solanaAddress: string
}

/**
 * The address proof: both keys sign it, the Ethereum key its SHA-256 and the Solana key the bytes. So neither a foreign
 * Solana key nor a foreign wallet can register an address.
 */
export function solanaAddressProofBytes(claim: SolanaAddressToProve): Uint8Array<ArrayBuffer> {
  const { appId, userId, walletId, address, solanaAddress } = claim
  const head = new TextEncoder().encode(`${proofTag}solana-address/1\n`)
  return concatBytes(head, canonical([appId, userId, walletId, address, solanaAddress]))
}

export const solanaAddressProofDigest = async (claim: SolanaAddressToProve) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', solanaAddressProofBytes(claim)))

/** Flattens names and values in sorted order, independent of property order. */
function flattenFields(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return fields.flatMap(([name, field]) => [name, ...flattenFields(field)])
}

function concatBytes(head: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + rest.length)
  bytes.set(head)
  bytes.set(rest, head.length)
  return bytes
}

export const walletProofDigest = async (wallet: WalletToProve) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', walletProofBytes(wallet)))

/** Returns whether the bytes could be taken for a proof. Signing calls must refuse them. */
export function isReservedForProofs(message: Uint8Array): boolean {
  const tag = new TextEncoder().encode(proofTag)
  return message.length >= tag.length && tag.every((byte, index) => message[index] === byte)
}
