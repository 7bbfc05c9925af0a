/** Decides whether an app may use user operations on a chain. Without these checks no operation is signed or sent. */
import { LatchkeyError } from '@latchkey/protocol'
import { batchAccount } from '@latchkey/protocol/wallet'
import type { ServerContext } from '../../kernel/context.ts'
import type { App } from '../../kernel/ports.ts'
import { bytes, createNodeCaller } from './node.ts'
import { type Relay, type Sponsor, sponsors } from './relay.ts'

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
    ? sponsors.get(context.ports).get(chainId)
    : undefined
  if (sponsor === undefined) {
    throw new LatchkeyError('not_supported', 'Fees are not paid for this app on this network')
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

async function hasAccountContract(context: Pick<ServerContext, 'ports'>, chainId: number): Promise<boolean> {
  const code = await createNodeCaller(context, chainId)(bytes, 'eth_getCode', batchAccount.address, 'latest')
  const { keccak256 } = await import('viem/utils')
  return keccak256(code) === batchAccount.codeHash
}
