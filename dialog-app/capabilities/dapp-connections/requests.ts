/**
 * Handles the requests of connected dapps, one at a time. Each request gets a result, a refusal or an expiry error. The
 * user confirms signatures and transactions on the wallet page, in the same flows as requests of the host page.
 */
import { findEmbeddedWallet, LatchkeyError } from '@latchkey/protocol'
import type { RelayedRequester } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { toQuantity } from '../../chains/rpc.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { usableChains } from '../../host/chains.ts'
import type { DappAnswer, DappClient, DappRequest } from './dapp-client.ts'
import { dappLimits } from './limits.ts'
import { chainIdsIn, granted, parseChainId } from './proposal/proposal.ts'
import { type Refusal, refusalOf, refusals } from './refusals.ts'

export type RequestPorts = Pick<CapabilityPorts, 'callByName' | 'clock' | 'session' | 'settings'>

export type Requests = {
  ask: (request: DappRequest) => void
  /** Drops the requests of an ended session without a response. */
  dropOf: (topic: string) => void
  dropAll: () => void
}

type Of = {
  client: DappClient
  /** Returns undefined if the session has ended. */
  requester: (topic: string) => RelayedRequester | undefined
  /** Called when a request of the session succeeds. */
  used: (topic: string) => void
}

const byUser: readonly string[] = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']

export function createRequests(ports: RequestPorts, { client, requester, used }: Of): Requests {
  const { clock } = ports
  let waiting: readonly DappRequest[] = []
  let present: { request: DappRequest; cancel: AbortController } | undefined

  /** Sends the response. Ignores failures, since the session may have ended. */
  const respond = (request: DappRequest, answer: DappAnswer) =>
    client.respond(request, answer).catch(() => {})
  const refuse = (request: DappRequest, error: Refusal) => void respond(request, { error })

  function ask(request: DappRequest) {
    if (!byUser.includes(request.method)) return void respondAtOnce(request)
    if (waiting.length + (present ? 1 : 0) >= dappLimits.maxWaiting) return refuse(request, refusals.busy)
    waiting = [...waiting, request]
    next()
  }

  async function respondAtOnce(request: DappRequest) {
    let answer: DappAnswer
    try {
      answer = await answerAtOnce(ports, client, request)
    } catch (error) {
      answer = { error: refusalOf(error) }
    }
    await respond(request, answer)
  }

  function next() {
    const [request, ...others] = waiting
    if (present || !request) return
    waiting = others
    const cancel = new AbortController()
    present = { request, cancel }
    void handle(request, cancel).finally(() => {
      present = undefined
      next()
    })
  }

  async function handle(request: DappRequest, cancel: AbortController) {
    const by = requester(request.topic)
    if (!by) return
    const leftMs = request.expiresAtMs - dappLimits.answeredBeforeMs - clock.nowMs()
    if (leftMs <= 0) return refuse(request, refusals.expired)
    const stop = clock.after(leftMs, () => cancel.abort(ranOut()))
    const answer = await askUser(ports, request, by, cancel.signal).finally(stop)
    if (requester(request.topic) === undefined || isDropped(cancel.signal)) return
    if ('result' in answer) used(request.topic)
    await respond(request, answer)
  }

  const drop = (is: (request: DappRequest) => boolean) => {
    waiting = waiting.filter((request) => !is(request))
    if (present && is(present.request)) present.cancel.abort(dropped())
  }

  return {
    ask,
    dropOf: (topic) => drop((request) => request.topic === topic),
    dropAll: () => drop(() => true),
  }
}

const ranOut = () => new LatchkeyError('client_request_timeout', 'The request of the dapp has run out')
const dropped = () => new LatchkeyError('call_cancelled', 'The dapp is not connected any more')
const isDropped = ({ aborted, reason }: AbortSignal) =>
  aborted && reason instanceof LatchkeyError && reason.code === 'call_cancelled'

const anyParams = v.array(v.unknown())

async function askUser(
  { callByName, settings }: RequestPorts,
  { method, params: given, chain }: DappRequest,
  requester: RelayedRequester,
  signal: AbortSignal,
): Promise<DappAnswer> {
  const chainId = parseChainId(chain)
  if (chainId === undefined || !usableChains(settings()).includes(chainId)) return { error: refusals.chain }
  const params = v.safeParse(anyParams, given)
  if (!params.success) return { error: refusals.params }
  try {
    const data = { method, params: params.output }
    const answer = await callByName('ethereumRequestForUser', data, {
      signal,
      relayed: { requester, chainId },
    })
    if ('result' in answer) return { result: answer.result }
    const { code, message } = answer.refused
    return { error: { code, message } }
  } catch (error) {
    return { error: refusalOf(error) }
  }
}

const switchParams = v.looseTuple([v.object({ chainId: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{1,13}$/i)) })])

async function answerAtOnce(
  { session, settings }: RequestPorts,
  client: DappClient,
  { method, params, topic, chain }: DappRequest,
): Promise<DappAnswer> {
  const state = session.state()
  const wallet = state.status === 'authenticated' ? findEmbeddedWallet(state.user) : undefined
  if (!wallet) return { error: refusals.unauthorized }
  const present = parseChainId(chain)
  if (present === undefined) return { error: refusals.chain }
  switch (method) {
    case 'eth_accounts':
    case 'eth_requestAccounts':
      return { result: [wallet.address] }
    case 'eth_chainId':
      return { result: toQuantity(BigInt(present)) }
    case 'wallet_switchEthereumChain': {
      const read = v.safeParse(switchParams, params)
      if (!read.success) return { error: refusals.params }
      const chainId = Number(read.output[0].chainId)
      if (!usableChains(settings()).includes(chainId)) return { error: refusals.unknownChain }
      const chains = client.sessions().find((each) => each.topic === topic)?.chains ?? []
      const chainIds = [...new Set([...chainIdsIn(chains), chainId])]
      await client.moveTo(topic, granted(chainIds, wallet.address), chainId)
      return { result: null }
    }
    default:
      return { error: refusals.method }
  }
}
