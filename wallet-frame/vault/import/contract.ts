/** Schemas of the import vault's responses. The only file of `vault/import/` that the page imports. */
import { evmAddress } from '@latchkey/protocol'
import { sealedShareSchema, sealingKey } from '@latchkey/protocol/wallet'
import * as v from 'valibot'

export type { ImportInputs } from './requests.ts'

/** Reasons why a text is not a private key. */
export const keyProblems = ['not_a_key', 'wrong_length', 'out_of_range'] as const
export type KeyProblem = (typeof keyProblems)[number]

const key = v.strictObject({ address: evmAddress })
const noKey = v.strictObject({ problem: v.picklist(keyProblems) })
/** The address of each account, in order. */
const accounts = v.strictObject({ addresses: v.array(evmAddress) })
/** Reasons why a text is not a seed phrase. */
const noPhrase = v.variant('problem', [
  v.strictObject({ problem: v.literal('word_count'), count: v.number() }),
  v.strictObject({ problem: v.literal('unknown_word'), word: v.string() }),
  v.strictObject({ problem: v.literal('wrong_checksum') }),
])
export type PhraseProblem = v.InferOutput<typeof noPhrase>

export const importOutputs = {
  begin: v.strictObject({ publicKey: sealingKey }),
  take: v.union([key, accounts, noKey, noPhrase]),
  /** Host pages may import private keys only. */
  takeSealed: v.union([key, noKey, v.strictObject({ problem: v.literal('seed_phrase') })]),
  agree: v.strictObject({}),
  forget: v.strictObject({}),
  seal: v.strictObject({ key: sealedShareSchema }),
  stop: v.strictObject({}),
} as const
export type ImportOutputs = typeof importOutputs
