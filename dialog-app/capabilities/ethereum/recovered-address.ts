import { recoverMessageAddress } from 'viem'
import type { Hex } from './hex.ts'

/** Whose key signed this text (EIP-191), in small letters, as nodes say it. */
export async function recoveredAddress(message: string, signature: Hex): Promise<string> {
  return (await recoverMessageAddress({ message, signature })).toLowerCase()
}
