/**
 * The calls of a Solana wallet. It is created, stored, released and recovered like an Ethereum wallet, with
 * automatic recovery as its only recovery method. Or an Ethereum wallet derives its address. Then both addresses have the
 * shares and the recovery method of that wallet.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { walletRoutes } from '@latchkey/protocol/api'
import type { CallInput, Handlers } from '@latchkey/protocol/channel'
import {
  solanaMethod,
  solanaSignInMethod,
  solanaTransactionMethod,
  type WalletFrameCalls,
  writeSolanaSignIn,
} from '@latchkey/protocol/wallet'
import { automatic } from '../recovery/automatic/automatic.ts'
import { assertAddress, toPinnedWallet } from '../shares/pinned-wallet.ts'
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
    async ({ data: { ethereumAddress }, call }, signal) => {
      if (ethereumAddress !== undefined) return addSolanaAddress(ports, { ...call, signal }, ethereumAddress)
      const { address, ...created } = await createWallet(ports, { ...call, signal }, 'solana', automatic, {})
      return { publicKey: address, ...created }
    },
  )

  return {
    'solana-wallet:create': (data, call) => createOnce({ data, call }, call.signal),

    'solana-wallet:connect': async ({ publicKey }, call) => {
      await connectWallet(ports, call, publicKey)
      return { publicKey }
    },

    'solana-wallet:recover': async ({ publicKey }, call) => {
      await recoverWallet(ports, call, publicKey, automatic, {})
      return { publicKey }
    },

    'solana-wallet:rpc': async ({ publicKey, request }, call) => {
      const vaultRequest = toVaultRequest(request, publicKey)
      const { address, data } = await signRequest(ports, call, publicKey, vaultRequest)
      return {
        publicKey: address,
        response: {
          data: vaultRequest.method === solanaMethod ? { signature: data } : { transaction: data },
        },
      }
    },
  }
}

/** Registers the Solana address that the vault derives from the secret of an Ethereum wallet. */
async function addSolanaAddress(
  ports: WalletPorts,
  call: StepCall,
  ethereumAddress: string,
): Promise<Awaited<ReturnType<Calls['solana-wallet:create']>>> {
  const { operation, signal } = call
  await ports.vault.call('enter', { operation, kind: 'solana-address' }, signal)
  const released = await call.withFactor((factor) => ports.api(walletRoutes.releaseShares, call, factor))
  assertAddress(released.wallet, ethereumAddress)
  const wallet = toPinnedWallet(ports, released.wallet)
  const proof = await ports.vault.call(
    'proveSolanaAddress',
    { operation, wallet, auth: released.authShare },
    signal,
  )
  const { user } = await ports.api(walletRoutes.addSolanaAddress, call, proof)
  return { publicKey: proof.solanaAddress, onDevice: true, user }
}

type SolanaRequest = CallInput<WalletFrameCalls['solana-wallet:rpc']>['request']

/** Returns the vault's request. */
function toVaultRequest(
  { method, params: { message, transaction, signIn } }: SolanaRequest,
  publicKey: string,
): VaultInput<'sign'>['request'] {
  switch (method) {
    case solanaMethod:
      if (typeof message !== 'string') throw invalidArguments('A Solana message must be a string')
      return { method, params: { message, publicKey } }
    case solanaSignInMethod:
      if (signIn === undefined) throw invalidArguments('A sign-in must have its fields')
      return { method: solanaMethod, params: { message: writeSolanaSignIn(signIn, publicKey), publicKey } }
    case solanaTransactionMethod:
      if (transaction === undefined) throw invalidArguments('A Solana transaction must be hex')
      return { method, params: [transaction, publicKey] }
    default:
      throw new LatchkeyError(
        'not_supported',
        'Embedded Solana provider does not yet support this RPC method.',
      )
  }
}

const invalidArguments = (message: string) => new LatchkeyError('invalid_request_arguments', message)
