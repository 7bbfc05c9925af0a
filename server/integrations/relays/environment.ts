import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'

/** The key files of the relays, by chain id. */
export type RelayFiles = ReadonlyMap<number, string>

const form = 'must be <chain id>=relay:<key file>, separated by spaces: 8453=relay:/keys/base.key'
const entry = /^([1-9][0-9]{0,14})=relay:(\S+)$/

const sponsors = v.pipe(
  v.string(),
  v.transform((value) => value.split(/\s+/).filter((part) => part !== '')),
  v.check((entries) => entries.every((one) => entry.test(one)), form),
  v.transform(
    (entries): RelayFiles =>
      new Map(
        entries.map((one) => {
          const [, chainId = '', file = ''] = entry.exec(one) ?? []
          return [Number(chainId), file] as const
        }),
      ),
  ),
)

export const sponsorEnvironment = environmentPart(
  { SPONSORS: v.optional(sponsors, '') },
  {
    SPONSORS:
      'The accounts that pay the fees of users: `<chain id>=relay:<key file>`, separated by spaces. Each chain needs a node in `CHAIN_RPC_URLS`. [Sponsored fees](../sponsored-fees.md).',
  },
)
