/** Recovers the signer of a request. Loaded on demand, because it needs viem. */
import { LatchkeyError } from '@latchkey/protocol'
import type { CrossAppRequest } from '@latchkey/protocol/api'
import { hashMessage, recoverAddress } from 'viem'
import { asHex } from '../../../browser/hex.ts'

export async function signerOf(
  { method, params }: CrossAppRequest,
  digest: string | undefined,
  signature: string,
): Promise<string> {
  const hash = method === 'personal_sign' ? hashMessage({ raw: asHex(params[0]) }) : digest && asHex(digest)
  if (!hash) throw new LatchkeyError('unable_to_sign', 'It is not known what was signed')
  return recoverAddress({ hash, signature: asHex(signature) })
}
