/** The host calls `sendTransaction` and `signTransaction`. */
import { type HostCallAnswer, type HostCallData, sendCalls } from '@latchkey/protocol/host'
import { asHex } from '../../browser/hex.ts'
import { type Fetch, toQuantity } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { meansAnother } from '../../contract/connected-wallets.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { createNonces } from './nonces.ts'
import { checkTransaction, createSendCall } from './send-call.ts'
import { readTransaction, type SendRequest, type Sent, type Transaction } from './transaction.ts'

export function createSending(
  own: CapabilityPorts,
  fetch: Fetch = (...call) => globalThis.fetch(...call),
): ServedHostCalls<keyof typeof sendCalls> {
  const ports = { ...own, fetch, nonces: createNonces(own.clock) }
  const begin = createUserFlows(ports)

  async function send(request: SendRequest, signal: AbortSignal): Promise<Sent> {
    const checked = await checkTransaction(ports, request, signal)
    return begin(createSendCall(ports, checked, request), signal)
  }

  /** Sends with a wallet of another app. Its provider chooses the open values. */
  async function sendBy(
    address: string,
    request: HostCallData<'sendTransaction'>,
    signal: AbortSignal,
  ): Promise<HostCallAnswer<'sendTransaction'>> {
    await ports.connectedWallets.find(address, { signal })
    const { checksummed } = await ports.load(() => import('./lazy/ethereum.ts'))
    const transaction = readTransaction(
      request.transaction,
      { wallet: address, checksummed },
      ports.settings(),
    )
    const params: [Record<string, unknown>] = [toRpc(transaction, address)]
    const sending = { address, request: { method: 'eth_sendTransaction', params } } as const
    const transactionHash = asHex(await ports.connectedWallets.ask(sending, { signal }))
    return { receipt: { transactionHash, status: null, gasUsed: null, effectiveGasPrice: null } }
  }
  return {
    rows: sendCalls,
    handlers: {
      async sendTransaction({ address, ...request }, { signal, window, relayed }) {
        if (address !== undefined && (await meansAnother(ports, address, { signal }))) {
          return sendBy(address, request, signal)
        }
        return { receipt: (await send({ ...request, window, relayed }, signal)).receipt }
      },
      signTransaction: async (request, { signal }) => {
        const { signedTransaction } = await send({ ...request, answerWhen: 'signed' }, signal)
        return { signedTransaction }
      },
    },
  }
}

/** Returns the transaction for JSON-RPC, without its undefined fields. */
function toRpc({ to, data, chainId, nonce, ...amounts }: Transaction, from: string): Record<string, unknown> {
  const { value, gasLimit: gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = amounts
  const optional = { value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas }
  const quantities = Object.entries(optional).flatMap(([name, amount]) =>
    amount === undefined ? [] : [[name, toQuantity(amount)]],
  )
  return {
    from,
    ...(to !== null && { to }),
    data,
    chainId: toQuantity(BigInt(chainId)),
    ...(nonce !== undefined && { nonce: toQuantity(BigInt(nonce)) }),
    ...Object.fromEntries(quantities),
  }
}
