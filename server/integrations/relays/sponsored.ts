/** Decides whether an app may use user operations on a chain. Without these checks no operation is signed or sent. */
import { LatchkeyError, type SolanaCluster } from '@latchkey/protocol'
import { batchAccount } from '@latchkey/protocol/wallet'
import type { ServerContext } from '../../kernel/context.ts'
import type { App } from '../../kernel/ports.ts'
import { bytes, createNodeCaller } from './node.ts'
import { type Relay, type Sponsor, sponsors } from './relay.ts'
import type { SolanaPayer } from './solana-payers.ts'

/**
 * Returns the sponsor of the chain. Throws unless the app lists the chain, the operator configured a sponsor for it, and
 * the account contract is there with its exact code.
 */
export async function requireSponsored(
  context: Pick<ServerContext, 'ports'>,
  { config }: Pick<App, 'config'>,
  chainId: number,
): Promise<Sponsor> {
  const sponsor = config.sponsoredChains.includes(chainId)
    ? sponsors.get(context.ports).chains.get(chainId)
    : undefined
  if (sponsor === undefined) {
    throw notPaid()
  }
  sponsor.isContractVerified ||= await hasAccountContract(context, chainId)
  if (sponsor.isContractVerified) return sponsor
  throw new LatchkeyError('not_supported', 'This network does not have the account contract')
}

/** Does the same, and throws unless the sponsor is a relay. */
export async function requireRelay(...request: Parameters<typeof requireSponsored>): Promise<Relay> {
  const sponsor = await requireSponsored(...request)
  if (sponsor.type === 'relay') return sponsor
  throw new LatchkeyError('not_supported', 'Paymasters pay for operations only')
}

/** Returns the payer. Throws unless the app lists the cluster, and the operator configured a payer for it. */
export function requireSolanaPayer(
  { ports }: Pick<ServerContext, 'ports'>,
  { config }: Pick<App, 'config'>,
  cluster: SolanaCluster,
): SolanaPayer {
  const isListed = config.sponsoredClusters.includes(cluster)
  const payer = isListed ? sponsors.get(ports).clusters.get(cluster) : undefined
  if (payer && config.solanaRpcUrls[cluster]) return payer
  throw notPaid()
}

const notPaid = () => new LatchkeyError('not_supported', 'Fees are not paid for this app on this network')

async function hasAccountContract(context: Pick<ServerContext, 'ports'>, chainId: number): Promise<boolean> {
  const code = await createNodeCaller(context, chainId)(bytes, 'eth_getCode', batchAccount.address, 'latest')
  const { keccak256 } = await import('viem/utils')
  return keccak256(code) === batchAccount.codeHash
}
