/** The host's calls `sendTransaction` and `signTransaction`. */
import { type HostCallAnswer, type HostCallData, sendCalls } from '@latchkey/protocol/host'
import { asHex } from '../../browser/hex.ts'
import { type Fetch, toQuantity } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { meansAnother } from '../../contract/connected-wallets.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { createNonces } from './nonces.ts'
import { createSendFlow, readyToSend } from './send-flow.ts'
import { readTransaction, type SendRequest, type Sent, type Transaction } from './transaction.ts'

export function createSending(
  own: CapabilityPorts,
  fetch: Fetch = (...call) => globalThis.fetch(...call),
): ServedHostCalls<keyof typeof sendCalls> {
  const ports = { ...own, fetch, nonces: createNonces(own.clock) }
  const begin = createUserFlows(ports)

  async function send(request: SendRequest, signal: AbortSignal): Promise<Sent> {
    const ready = await readyToSend(ports, request, signal)
    return begin((handle) => createSendFlow(ports, ready, request, handle), signal)
  }

  /** A wallet of another app sends it: its provider works out what is left open, and sends it. */
  async function sendBy(
    address: string,
    { transaction: given }: HostCallData<'sendTransaction'>,
    signal: AbortSignal,
  ): Promise<HostCallAnswer<'sendTransaction'>> {
    await ports.connectedWallets.find(address, { signal })
    const { checksummed } = await ports.load(() => import('./lazy/ethereum.ts'))
    const transaction = readTransaction(given, { wallet: address, checksummed }, ports.settings())
    const params: [Record<string, unknown>] = [asRpc(transaction, address)]
    const asked = { address, request: { method: 'eth_sendTransaction', params } } as const
    const transactionHash = asHex(await ports.connectedWallets.ask(asked, { signal }))
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

/** The transaction in the form of JSON-RPC, without the fields that were left open. */
function asRpc({ to, data, chainId, nonce, ...amounts }: Transaction, from: string): Record<string, unknown> {
  const { value, gasLimit: gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = amounts
  const given = { value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas }
  const quantities = Object.entries(given).flatMap(([name, amount]) =>
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
