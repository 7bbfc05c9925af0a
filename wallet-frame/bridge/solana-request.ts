import { LatchkeyError } from '@latchkey/protocol'
import type { CallInput } from '@latchkey/protocol/channel'
import { solanaMethod, type WalletFrameCalls } from '@latchkey/protocol/wallet'
import type { VaultInput } from '../vault/contract.ts'

type Asked = CallInput<WalletFrameCalls['solana-wallet:rpc']>['request']

/** What the vault is asked to sign, where that is the one thing that a Solana wallet signs. */
export function solanaRequest(
  { method, params: { message } }: Asked,
  publicKey: string,
): VaultInput<'sign'>['request'] {
  if (method !== solanaMethod) {
    throw new LatchkeyError('not_supported', 'Embedded Solana provider does not yet support this RPC method.')
  }
  if (typeof message !== 'string') {
    throw new LatchkeyError('invalid_request_arguments', 'A Solana message must be a string')
  }
  return { method, params: { message, publicKey } }
}
