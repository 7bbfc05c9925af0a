/**
 * The calls of a Solana wallet. It is made, kept, released and recovered as an Ethereum one is: only what is asked of
 * it differs, and that it has automatic recovery alone.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { CallInput, Handlers } from '@latchkey/protocol/channel'
import { solanaMethod, type WalletFrameCalls } from '@latchkey/protocol/wallet'
import { automatic } from '../recovery/automatic/automatic.ts'
import type { StepCall, WalletPorts } from '../shares/ports.ts'
import type { VaultInput } from '../vault/contract.ts'
import { identityOfCreate, merging } from './merging.ts'
import { connectWallet, createWallet, recoverWallet, signRequest } from './wallet-calls.ts'

type Name = Extract<keyof WalletFrameCalls, `solana-wallet:${string}`>
type Calls = Handlers<WalletFrameCalls>
type Data<N extends Name> = Parameters<Calls[N]>[0]

export type SolanaCalls = {
  [N in Name]: (data: Data<N>, call: StepCall) => Promise<Awaited<ReturnType<Calls[N]>>>
}

export function createSolanaCalls(ports: WalletPorts): SolanaCalls {
  type Creation = { data: Data<'solana-wallet:create'>; call: StepCall }
  const createOnce = merging(
    ({ data }: Creation) => identityOfCreate(data),
    async ({ call }, signal) => {
      const { address, ...created } = await createWallet(ports, { ...call, signal }, 'solana', automatic, {})
      return { publicKey: address, ...created }
    },
  )

  return {
    'solana-wallet:create': (data, call) => createOnce({ data, call }, call.signal),

    'solana-wallet:connect': async ({ publicKey }, call) => ({
      publicKey: await connectWallet(ports, call, publicKey),
    }),

    'solana-wallet:recover': async ({ publicKey }, call) => ({
      publicKey: await recoverWallet(ports, call, publicKey, automatic, {}),
    }),

    'solana-wallet:rpc': async ({ publicKey, request }, call) => {
      const signed = await signRequest(ports, call, publicKey, solanaRequest(request, publicKey))
      return { publicKey: signed.address, response: { data: { signature: signed.data } } }
    },
  }
}

type SolanaRequest = CallInput<WalletFrameCalls['solana-wallet:rpc']>['request']

/** Gives the vault's request; a Solana wallet signs messages and nothing else. */
function solanaRequest(
  { method, params: { message } }: SolanaRequest,
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
