/** Reads on which networks a wallet runs a contract. */
import { LatchkeyError } from '@latchkey/protocol'
import { type Chain, getChain } from '@latchkey/protocol/chains'
import { readDelegate } from '@latchkey/protocol/wallet'
import { useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { useDialog } from '../../app/context.ts'
import type { DialogServices } from '../../app/services.ts'
import { createRpc, type Rpc } from '../../chains/rpc.ts'
import { usableChains } from '../../host/chains.ts'

/** `contract` is in lowercase. */
export type ChainDelegation = { chain: Chain; contract: string }
export type Delegations = {
  delegations: ChainDelegation[]
  /** The networks that did not answer. */
  unread: Chain[]
}

export const delegationsKey = (address: string) => ['delegations', address]

export function useDelegations(address: string) {
  const { services } = useDialog()
  return useQuery({
    queryKey: delegationsKey(address),
    queryFn: ({ signal }) => readDelegations(services, address, signal),
  })
}

type Ports = Pick<DialogServices, 'settings' | 'clock'>

export function createChainRpc({ settings, clock }: Ports, chainId: number): Rpc {
  const urls = settings().app.rpcUrls[String(chainId)] ?? []
  return createRpc(urls, { clock, fetch: (...call) => globalThis.fetch(...call) })
}

/** Returns the contract that the wallet runs, or undefined if it runs none. */
export async function readContract(
  rpc: Rpc,
  address: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const code = await rpc.ask('eth_getCode', [address, 'latest'], signal)
  return readDelegate(v.parse(v.string(), code))
}

/** Throws if no network answers. */
async function readDelegations(ports: Ports, address: string, signal: AbortSignal): Promise<Delegations> {
  const { app } = ports.settings()
  const chains = usableChains(ports.settings()).map((id) => getChain(app, id))
  const answers = await Promise.allSettled(
    chains.map(({ id }) => readContract(createChainRpc(ports, id), address, signal)),
  )
  const unread = chains.filter((_, at) => answers[at]?.status === 'rejected')
  if (unread.length === chains.length) throw new LatchkeyError('server_unreachable', 'No network answered')
  const delegations = chains.flatMap((chain, at) => {
    const answer = answers[at]
    const contract = answer?.status === 'fulfilled' ? answer.value : undefined
    return contract === undefined ? [] : [{ chain, contract }]
  })
  return { delegations, unread }
}
