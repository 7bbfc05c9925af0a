/** Chains by JSON-RPC. */
import { hex } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Address, Hex } from 'viem'
import { WrongParty } from '../../kernel/third-parties.ts'
import type { Chains, ContractAnswer } from './chains.ts'
import type { ChainUrls } from './environment.ts'
import { askNode, type ChainNode, isOfContract, notRpc, type RpcCall, type RpcError } from './node.ts'

const word = v.custom<Hex>((value) => v.is(hex, value))

/** Asks for a call that is answered with bytes; any other result throws. */
async function askRpc(node: ChainNode, call: RpcCall, signal: AbortSignal) {
  const answer = await askNode(node, call, signal)
  if ('error' in answer) return answer
  if (!v.is(word, answer.result)) throw notRpc()
  return { result: answer.result }
}

/** The reason for the log. It leaves out the node's message, which may quote what was asked: a signature. */
const whyOf = ({ code }: RpcError) => `JSON-RPC error ${code}`

async function askContractAt(
  node: ChainNode,
  { address, data }: { address: Address; data: Hex },
  signal: AbortSignal,
): Promise<ContractAnswer> {
  try {
    const answer = await askRpc(
      node,
      { method: 'eth_call', params: [{ to: address, data }, 'latest'] },
      signal,
    )
    if ('error' in answer) return { type: 'failed', why: whyOf(answer.error) }
    return { type: 'said', data: answer.result }
  } catch (cause) {
    return { type: 'failed', why: String(cause) }
  }
}

/** Asks the node which chain it is of. A node that stands in for several may be of any. */
export async function isChain(
  node: ChainNode,
  signal: AbortSignal,
  { standsIn = false } = {},
): Promise<void> {
  const answer = await askNode(node, { method: 'eth_chainId', params: [] }, signal)
  if ('error' in answer) throw new WrongParty(whyOf(answer.error))
  const chainId = Number(answer.result)
  if (!Number.isSafeInteger(chainId)) throw new WrongParty('what answers is no node of a chain')
  if (!standsIn && chainId !== node.chainId)
    throw new WrongParty(`the node is of chain ${chainId}, not ${node.chainId}`)
}

export const createRpcChains = (urls: ChainUrls): Chains => ({
  has: (chainId) => urls.has(chainId),
  askAt: askContractAt,

  async ask({ chainId, address, data }, signal) {
    const url = urls.get(chainId)
    if (url === undefined) return { type: 'failed', why: `nobody is named for chain ${chainId}` }
    return askContractAt({ chainId, url }, { address, data }, signal)
  },

  async verifyMessage({ chainId, address, message, signature }, signal) {
    const url = urls.get(chainId)
    if (url === undefined) return { type: 'unknown chain' }
    // Loaded by the first wallet that is a contract: most servers never see one.
    const [{ createClient, custom }, { verifyMessage }] = await Promise.all([
      import('viem'),
      import('viem/actions'),
    ])
    let failure: string | undefined
    // The library says "wrong" of a chain that did not answer, so what it was answered is looked at here.
    const transport = custom(
      {
        async request(call: RpcCall) {
          const answer = await askRpc({ chainId, url }, call, signal).catch((cause: unknown) => {
            failure = String(cause)
            throw cause
          })
          if (!('error' in answer)) return answer.result
          if (!isOfContract(answer.error)) failure = whyOf(answer.error)
          throw answer.error
        },
      },
      { retryCount: 0 },
    )
    try {
      // A contract may answer that an address of its choice is to be asked (EIP-3668): nobody else is.
      const client = createClient({ transport, ccipRead: false })
      if (await verifyMessage(client, { address, message, signature })) {
        return { type: 'right' }
      }
    } catch {
      // A signature that claims a form which it has not; or the chain, which is known then.
    }
    return failure === undefined ? { type: 'wrong' } : { type: 'failed', why: failure }
  },
})
