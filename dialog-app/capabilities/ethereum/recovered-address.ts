import { recoverMessageAddress } from 'viem'
import { asHex, type Hex } from '../../browser/hex.ts'

type Signed = string | { raw: string }

/** Recovers the signer address of a message (EIP-191), in lower case like `personal_ecRecover` in nodes. */
export async function recoveredAddress(signed: Signed, signature: Hex): Promise<string> {
  const message = typeof signed === 'string' ? signed : { raw: asHex(signed.raw) }
  return (await recoverMessageAddress({ message, signature })).toLowerCase()
}
