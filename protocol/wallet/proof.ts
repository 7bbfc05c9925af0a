/**
 * What a new wallet's key signs, so that nobody registers an address that is not theirs.
 *
 * No call that signs for a host can make this signature: on Ethereum it is over the SHA-256 of the bytes below,
 * while messages, typed data and transactions are signed over a Keccak-256; and whatever begins with the tag is
 * refused by every signing call, in the dialog and in the vault, for Solana, which signs bytes as they are. There it
 * is over the bytes themselves: their digest begins with no tag, and a host could have it signed as a message.
 */
import { product } from '../product.ts'
import type { WalletLine } from './shares.ts'

export const proofTag = `${product.key}/wallet-proof/`
const version = 1

export function walletProofBytes(wallet: WalletLine & { readonly address: string }): Uint8Array<ArrayBuffer> {
  const { appId, userId, walletId, kind, chain, generation, address } = wallet
  const fields = [appId, userId, walletId, kind, chain, String(generation), address]
  const text = fields.map((field) => `${field.length}:${field}`).join('')
  return new TextEncoder().encode(`${proofTag}${version}\n${text}`)
}

export const walletProofDigest = async (wallet: WalletLine & { readonly address: string }) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', walletProofBytes(wallet)))

/** True for bytes that no signing call may sign: they could be taken for a proof. */
export function looksLikeProof(message: Uint8Array): boolean {
  const tag = new TextEncoder().encode(proofTag)
  return message.length >= tag.length && tag.every((byte, index) => message[index] === byte)
}
