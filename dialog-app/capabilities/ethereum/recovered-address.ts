import { recoverMessageAddress } from 'viem'
import { asHex, type Hex } from '../../browser/hex.ts'

type Signed = string | { raw: string }

/** Whose key signed this (EIP-191), in small letters, as nodes say it. */
export async function recoveredAddress(signed: Signed, signature: Hex): Promise<string> {
  const message = typeof signed === 'string' ? signed : { raw: asHex(signed.raw) }
  return (await recoverMessageAddress({ message, signature })).toLowerCase()
}
