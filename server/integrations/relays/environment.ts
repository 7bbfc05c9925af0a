import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'

/** A key file of a relay, or the addresses of a bundler and a paymaster, which may contain API keys. */
export type SponsorEntry =
  | { type: 'relay'; file: string }
  | { type: 'erc4337'; bundlerUrl: string; paymasterUrl: string }

/** No message quotes an entry, because its addresses may contain API keys. */
const form =
  'must be <chain id>=relay:<key file> or <chain id>=erc4337:<bundler URL> <paymaster URL>, separated by spaces'
const entry = /^([1-9][0-9]{0,14})=(relay|erc4337):(\S+)$/

const sponsors = v.pipe(
  v.string(),
  v.rawTransform<string, ReadonlyMap<number, SponsorEntry>>(({ dataset, addIssue, NEVER }) => {
    const entries = readEntries(dataset.value.split(/\s+/).filter((word) => word !== ''))
    if (entries) return entries
    addIssue({ message: form })
    return NEVER
  }),
)

/** Returns undefined if a word has another form. */
function readEntries(words: string[]): ReadonlyMap<number, SponsorEntry> | undefined {
  const entries = new Map<number, SponsorEntry>()
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, chainId, type, place = ''] = entry.exec(word) ?? []
    if (chainId === undefined) return undefined
    if (type === 'relay') {
      entries.set(Number(chainId), { type, file: place })
      continue
    }
    const paymasterUrl = rest.shift() ?? ''
    if (!isHttpUrl(place) || !isHttpUrl(paymasterUrl)) return undefined
    entries.set(Number(chainId), { type: 'erc4337', bundlerUrl: place, paymasterUrl })
  }
  return entries
}

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

export const sponsorEnvironment = environmentPart(
  { SPONSORS: v.optional(sponsors, '') },
  {
    SPONSORS:
      'The payers of the fees of users: `<chain id>=relay:<key file>`, or `<chain id>=erc4337:<bundler URL> <paymaster URL>`, separated by spaces. Each chain needs a node in `CHAIN_RPC_URLS`. [Sponsored fees](../sponsored-fees.md).',
  },
)
