/** Changes the contract that a wallet runs on a network. The operator pays the fee, or else the wallet itself. */
import { LatchkeyError, type WalletAccount, walletLimits } from '@latchkey/protocol'
import { sponsorRoutes } from '@latchkey/protocol/api'
import type { Chain } from '@latchkey/protocol/chains'
import {
  type Delegation,
  delegationLimits,
  noDelegate,
  type WalletRpcRequest,
} from '@latchkey/protocol/wallet'
import { asHex } from '../../browser/hex.ts'
import type { Rpc } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CardHandle } from '../../flow/flow.ts'
import { broadcast } from '../send/confirmation.ts'
import { prepare } from '../send/preparation.ts'
import { createChainRpc, readContract } from './delegations.ts'

export type DelegateChange = {
  account: WalletAccount
  chain: Chain
  /** The contract that the wallet runs now. */
  contract: string
  delegation: Delegation
  request: WalletRpcRequest
  /** The wallet would pay the fee, and has too few coins for it. */
  isPoor: boolean
}

type Planned = Pick<DelegateChange, 'account' | 'chain' | 'contract'> & { delegate: Delegation['delegate'] }

/** Prepares the authorization. The operator's refusal to pay leaves the fee to the wallet. */
export async function planChange(
  ports: Pick<CapabilityPorts, 'api' | 'load' | 'settings' | 'clock'>,
  { delegate, ...change }: Planned,
  signal: AbortSignal,
): Promise<DelegateChange> {
  const { address } = change.account
  const chainId = change.chain.id
  const quote = ports.settings().app.sponsoredChains.includes(chainId)
    ? await ports.api
        .call(sponsorRoutes.quoteDelegation, { address, chainId, delegate }, { signal })
        .catch((error: unknown) => {
          if (error instanceof LatchkeyError && refusals.includes(error.code)) return undefined
          throw error
        })
    : undefined
  // Signs the change that the user chose, never one of the server.
  const { delegation, isPoor } = quote
    ? { delegation: { ...quote.delegation, chainId, delegate, fees: null }, isPoor: false }
    : await planOwn(createChainRpc(ports, chainId), { address, chainId, delegate }, signal)
  const { digestDelegation } = await ports.load(() => import('./lazy/digest.ts'))
  const params: [string, string, string] = [
    address,
    JSON.stringify(delegation),
    digestDelegation(delegation, address),
  ]
  return { ...change, delegation, isPoor, request: { method: 'eth_signAuthorization', params } }
}

const refusals: LatchkeyError['code'][] = ['not_supported', 'too_many_requests', 'unavailable']

/** Plans a transaction by the wallet to itself. The nonce of the authorization follows that of the transaction. */
async function planOwn(
  rpc: Rpc,
  { address, ...change }: Pick<Delegation, 'chainId' | 'delegate'> & { address: string },
  signal: AbortSignal,
): Promise<{ delegation: Delegation; isPoor: boolean }> {
  const { nonce, gasLimit, fees, balance } = await prepare(
    rpc,
    address,
    {
      chainId: change.chainId,
      to: asHex(address),
      data: '0x',
      value: 0n,
      nonce: undefined,
      gasLimit: undefined,
      gasPrice: undefined,
      maxFeePerGas: undefined,
      maxPriorityFeePerGas: undefined,
    },
    signal,
  )
  const gas = Number(gasLimit) + delegationLimits.authorizationGas
  const maxFee = fees.kind === 'legacy' ? fees.gasPrice : fees.maxFeePerGas
  const priorityFee = fees.kind === 'legacy' ? fees.gasPrice : fees.maxPriorityFeePerGas
  return {
    delegation: {
      ...change,
      nonce: nonce + 1,
      fees: { gas, maxFee: String(maxFee), priorityFee: String(priorityFee) },
    },
    isPoor: balance < BigInt(gas) * maxFee,
  }
}

/**
 * Sends the signed authorization, and resolves when the network runs the wallet that way. Rejects with
 * `client_request_timeout` if it does not in time.
 */
export async function sendChange(
  ports: Pick<CapabilityPorts, 'api' | 'load' | 'settings' | 'clock'>,
  { account: { address }, chain, delegation }: DelegateChange,
  signed: string,
  { after, signal }: Pick<CardHandle, 'after' | 'signal'>,
): Promise<void> {
  const rpc = createChainRpc(ports, chain.id)
  if (delegation.fees === null) {
    const body = { address, delegation, signature: signed }
    await ports.api.call(sponsorRoutes.sendDelegation, body, { signal })
  } else {
    const { hashTransaction } = await ports.load(() => import('../send/lazy/ethereum.ts'))
    await broadcast(rpc, signed, hashTransaction(signed), signal)
  }
  const expected = delegation.delegate === noDelegate ? undefined : delegation.delegate
  const { receiptPollMs, confirmationMs } = walletLimits
  for (let waitedMs = 0; waitedMs <= confirmationMs; waitedMs += receiptPollMs) {
    // A node that does not answer now may answer the next request.
    const isDone = await readContract(rpc, address, signal).then(
      (contract) => contract === expected,
      () => false,
    )
    signal.throwIfAborted()
    if (isDone) return
    await new Promise<void>((resolve) => void after(receiptPollMs, resolve))
  }
  throw new LatchkeyError('client_request_timeout', 'The network did not make the change in time')
}
