/** Chain reads over JSON-RPC. */
import { hex } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Address, Hex } from 'viem'
import { WrongThirdPartyError } from '../../kernel/third-parties.ts'
import type { Chains, ContractAnswer } from './chains.ts'
import { type ChainUrls, listNodes } from './environment.ts'
import { type ChainNode, callNode, isContractError, notRpc, type RpcCall, type RpcError } from './node.ts'

const hexValue = v.custom<Hex>((value) => v.is(hex, value))

/** Calls a method that returns hex bytes. Throws on any other result. */
async function callForHex(node: ChainNode, call: RpcCall, signal: AbortSignal) {
  const answer = await callNode(node, call, signal)
  if ('error' in answer) return answer
  if (!v.is(hexValue, answer.result)) throw notRpc()
  return { result: answer.result }
}

/**
 * Returns the reason for the log. It omits the node's message, which may quote the call's parameters, such as a
 * signature.
 */
const describeError = ({ code }: RpcError) => `JSON-RPC error ${code}`

async function callContractAt(
  node: ChainNode,
  { address, data }: { address: Address; data: Hex },
  signal: AbortSignal,
): Promise<ContractAnswer> {
  try {
    const answer = await callForHex(
      node,
      { method: 'eth_call', params: [{ to: address, data }, 'latest'] },
      signal,
    )
    if ('error' in answer) return { type: 'failed', why: describeError(answer.error) }
    return { type: 'said', data: answer.result }
  } catch (cause) {
    return { type: 'failed', why: String(cause) }
  }
}

/** Verifies the chain id of a node. A sandbox node stands in for several chains, so its id is not compared. */
export async function assertChainId(
  node: ChainNode,
  signal: AbortSignal,
  { standsIn = false } = {},
): Promise<void> {
  const answer = await callNode(node, { method: 'eth_chainId', params: [] }, signal)
  if ('error' in answer) throw new WrongThirdPartyError(describeError(answer.error))
  const chainId = Number(answer.result)
  if (!Number.isSafeInteger(chainId)) throw new WrongThirdPartyError('the response is not from an RPC node')
  if (!standsIn && chainId !== node.chainId)
    throw new WrongThirdPartyError(`the node is of chain ${chainId}, not ${node.chainId}`)
}

export const createRpcChains = (urls: ChainUrls): Chains => ({
  has: (chainId) => urls.has(chainId),
  callContractAt,

  listNodes: (app, chainId) => listNodes(urls, app, chainId),
  async call(chainId, call, signal) {
    const url = urls.get(chainId)
    if (url === undefined) throw new Error(`no RPC URL is configured for chain ${chainId}`)
    return callNode({ chainId, url }, call, signal)
  },

  async callContract({ chainId, address, data }, signal) {
    const url = urls.get(chainId)
    if (url === undefined) return { type: 'failed', why: `no RPC URL is configured for chain ${chainId}` }
    return callContractAt({ chainId, url }, { address, data }, signal)
  },

  async verifyMessage({ chainId, address, message, signature }, signal) {
    const url = urls.get(chainId)
    if (url === undefined) return { type: 'unknown-chain' }
    // Loaded on the first contract wallet, because most servers never see one.
    const [{ createClient, custom }, { verifyMessage }] = await Promise.all([
      import('viem'),
      import('viem/actions'),
    ])
    let failure: string | undefined
    // viem returns `false` on transport errors too, so failures are recorded here.
    const transport = custom(
      {
        async request(call: RpcCall) {
          const answer = await callForHex({ chainId, url }, call, signal).catch((cause: unknown) => {
            failure = String(cause)
            throw cause
          })
          if (!('error' in answer)) return answer.result
          if (!isContractError(answer.error)) failure = describeError(answer.error)
          throw answer.error
        },
      },
      { retryCount: 0 },
    )
    try {
      // CCIP read (EIP-3668) is off: a contract must not choose a URL that the server requests.
      const client = createClient({ transport, ccipRead: false })
      if (await verifyMessage(client, { address, message, signature })) {
        return { type: 'right' }
      }
    } catch {
      // Either the signature is malformed, or the node failed and `failure` is set.
    }
    return failure === undefined ? { type: 'wrong' } : { type: 'failed', why: failure }
  },
})
