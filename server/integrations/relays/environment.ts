import { type SolanaCluster, solanaClusters } from '@latchkey/protocol'
import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'

/** A key file of a relay, or the addresses of a bundler and a paymaster, which may contain API keys. */
export type SponsorEntry =
  | { type: 'relay'; file: string }
  | { type: 'erc4337'; bundlerUrl: string; paymasterUrl: string }

/** The services of a chain: https://eips.ethereum.org/EIPS/eip-7769, https://eips.ethereum.org/EIPS/eip-7677 */
export type PaymasterServices = Extract<SponsorEntry, { type: 'erc4337' }> & {
  /** Whether the chain has the account contract with its exact code, once that was verified. */
  isContractVerified: boolean
}

/** A key file of an account, or the address of a Kora service and the file of its secret. */
export type SolanaSponsorEntry = { type: 'relay'; file: string } | { type: 'kora'; url: string; file: string }

type Entries = {
  chains: ReadonlyMap<number, SponsorEntry>
  clusters: ReadonlyMap<SolanaCluster, SolanaSponsorEntry>
}

/** No message quotes an entry, because its addresses may contain API keys. */
const form =
  'must be entries like 8453=relay:<key file>, 8453=erc4337:<bundler URL> <paymaster URL>, solana:mainnet=relay:<key file> or solana:mainnet=kora:<URL> <secret file>, separated by spaces'
const entry = /^([1-9][0-9]{0,14}|solana:[a-z]+)=([a-z0-9]+):(\S+)$/

const sponsors = v.pipe(
  v.string(),
  v.rawTransform<string, Entries>(({ dataset, addIssue, NEVER }) => {
    const entries = readEntries(dataset.value.split(/\s+/).filter((word) => word !== ''))
    if (entries) return entries
    addIssue({ message: form })
    return NEVER
  }),
)

/** Returns undefined if a word has another form. */
function readEntries(words: string[]): Entries | undefined {
  const chains = new Map<number, SponsorEntry>()
  const clusters = new Map<SolanaCluster, SolanaSponsorEntry>()
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, network = '', type = '', place = ''] = entry.exec(word) ?? []
    const payer = { type, place, next: type === 'relay' ? '' : (rest.shift() ?? '') }
    const cluster = solanaClusters.find((each) => network === `solana:${each}`)
    const chainSponsor = /^[0-9]+$/.test(network) ? toChainSponsor(payer) : undefined
    const clusterSponsor = cluster && toClusterSponsor(payer)
    if (chainSponsor) chains.set(Number(network), chainSponsor)
    else if (cluster && clusterSponsor) clusters.set(cluster, clusterSponsor)
    else return undefined
  }
  return { chains, clusters }
}

/** The type and the first word of an entry, and the word after them. */
type Payer = { type: string; place: string; next: string }

function toChainSponsor({ type, place, next }: Payer): SponsorEntry | undefined {
  if (type === 'relay') return { type, file: place }
  const isComplete = type === 'erc4337' && isHttpUrl(place) && isHttpUrl(next)
  return isComplete ? { type, bundlerUrl: place, paymasterUrl: next } : undefined
}

function toClusterSponsor({ type, place, next }: Payer): SolanaSponsorEntry | undefined {
  if (type === 'relay') return { type, file: place }
  const isComplete = type === 'kora' && isHttpUrl(place) && next !== '' && !entry.test(next)
  return isComplete ? { type, url: place, file: next } : undefined
}

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

export const sponsorEnvironment = environmentPart(
  { SPONSORS: v.optional(sponsors, '') },
  {
    SPONSORS:
      'The payers of the fees of users, separated by spaces: `<chain id>=relay:<key file>` or `<chain id>=erc4337:<bundler URL> <paymaster URL>`, where the chain needs a node in `CHAIN_RPC_URLS`, and `solana:<cluster>=relay:<key file>` or `solana:<cluster>=kora:<URL> <secret file>`. [Sponsored fees](../sponsored-fees.md).',
  },
)
