/**
 * What a new wallet's key signs, so that nobody registers an address that is not theirs, or other shares with it than
 * the vault that made them.
 *
 * No call that signs for a host can make this signature: on Ethereum it is over the SHA-256 of the bytes below,
 * while messages, typed data and transactions are signed over a Keccak-256; and whatever begins with the tag is
 * refused by every signing call, in the dialog and in the vault, for Solana, which signs bytes as they are. There it
 * is over the bytes themselves: their digest begins with no tag, and a host could have it signed as a message.
 */
import { product } from '../names/product.ts'
import type { StoredRecoveryShare } from './recovery.ts'
import { canonical, type SealedShare, type WalletLine } from './shares.ts'

export const proofTag = `${product.key}/wallet-proof/`
const version = 2

/** A wallet, and the shares that are registered with it, as they are sealed to the server. */
export type WalletToProve = WalletLine & {
  address: string
  authShare: SealedShare
  recovery: StoredRecoveryShare
}

export function walletProofBytes(wallet: WalletToProve): Uint8Array<ArrayBuffer> {
  const { appId, userId, walletId, kind, chain, generation, address, authShare, recovery } = wallet
  const fields = [appId, userId, walletId, kind, chain, String(generation), address]
  const head = new TextEncoder().encode(`${proofTag}${version}\n`)
  return joined(head, canonical([...fields, ...leavesOf(authShare), ...leavesOf(recovery)]))
}

/** Names and values in one order, however the object was written. */
function leavesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return fields.flatMap(([name, field]) => [name, ...leavesOf(field)])
}

function joined(head: Uint8Array, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + rest.length)
  bytes.set(head)
  bytes.set(rest, head.length)
  return bytes
}

export const walletProofDigest = async (wallet: WalletToProve) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', walletProofBytes(wallet)))

/** True for bytes that no signing call may sign: they could be taken for a proof. */
export function isReservedForProofs(message: Uint8Array): boolean {
  const tag = new TextEncoder().encode(proofTag)
  return message.length >= tag.length && tag.every((byte, index) => message[index] === byte)
}
