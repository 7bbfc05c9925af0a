import type { AppConfig } from '@latchkey/protocol'
import * as v from 'valibot'
import type { ServerConfig } from '../../kernel/config.ts'
import { environmentPart } from '../../kernel/environment.ts'
import type { ChainNode } from './node.ts'

/** RPC URLs by chain id. */
export type ChainUrls = ReadonlyMap<number, string>

const form = 'must be <chain id>=<http address>, separated by spaces: 1=https://rpc.example 10=https://…'
const entry = /^([1-9][0-9]{0,14})=(https?:\/\/\S+)$/

const chainUrls = v.pipe(
  v.string(),
  v.transform((value) => value.split(/\s+/).filter((part) => part !== '')),
  v.check(
    (entries) => entries.every((one) => entry.test(one) && URL.canParse(one.replace(entry, '$2'))),
    form,
  ),
  v.transform(
    (entries): ChainUrls =>
      new Map(
        entries.map((one) => {
          const [, chainId = '', url = ''] = entry.exec(one) ?? []
          return [Number(chainId), url] as const
        }),
      ),
  ),
)

export const chainEnvironment = environmentPart(
  { CHAIN_RPC_URLS: v.optional(chainUrls, '') },
  {
    CHAIN_RPC_URLS: {
      meaning:
        'RPC nodes that verify signatures of contract wallets: `<chain id>=<address>`, separated by spaces. Login by Farcaster needs chain 10.',
      isSecret: true,
    },
  },
)

export type AppNodes = { config: Pick<AppConfig, 'rpcUrls'> }

/** Returns the operator's node of a chain, or else the nodes that the app configured, in order. */
export function listNodes(urls: ChainUrls, { config }: AppNodes, chainId: string): ChainNode[] {
  const url = urls.get(Number(chainId))
  const nodeUrls = url === undefined ? (config.rpcUrls[chainId] ?? []) : [url]
  return nodeUrls.map((each) => ({ chainId, url: each }))
}

/** Returns the environment variables that calls to this chain still need. */
export const missingForChain =
  (chainId: number) =>
  (config: ServerConfig): readonly string[] =>
    chainEnvironment.read(config).CHAIN_RPC_URLS.has(chainId) ? [] : ['CHAIN_RPC_URLS']
