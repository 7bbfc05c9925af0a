/**
 * The calls of a Solana wallet. It is created, stored, released and recovered like an Ethereum wallet. Only
 * its requests differ, and automatic recovery is its only recovery method.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { CallInput, Handlers } from '@latchkey/protocol/channel'
import { solanaMethod, type WalletFrameCalls } from '@latchkey/protocol/wallet'
import { automatic } from '../recovery/automatic/automatic.ts'
import type { StepCall, WalletPorts } from '../shares/ports.ts'
import type { VaultInput } from '../vault/contract.ts'
import { getCreateKey, mergeCalls } from './merging.ts'
import { connectWallet, createWallet, recoverWallet, signRequest } from './wallet-calls.ts'

type Name = Extract<keyof WalletFrameCalls, `solana-wallet:${string}`>
type Calls = Handlers<WalletFrameCalls>
type Data<N extends Name> = Parameters<Calls[N]>[0]

export type SolanaCalls = {
  [N in Name]: (data: Data<N>, call: StepCall) => Promise<Awaited<ReturnType<Calls[N]>>>
}

export function createSolanaCalls(ports: WalletPorts): SolanaCalls {
  type Creation = { data: Data<'solana-wallet:create'>; call: StepCall }
  const createOnce = mergeCalls(
    ({ data }: Creation) => getCreateKey(data),
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
      const signed = await signRequest(ports, call, publicKey, toVaultRequest(request, publicKey))
      return { publicKey: signed.address, response: { data: { signature: signed.data } } }
    },
  }
}

type SolanaRequest = CallInput<WalletFrameCalls['solana-wallet:rpc']>['request']

/** Returns the vault's request. A Solana wallet signs messages only. */
function toVaultRequest(
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
