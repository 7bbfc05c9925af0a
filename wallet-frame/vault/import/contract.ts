/** What the import page hears of its vault. All of `vault/import/` that the page imports. */
import { evmAddress } from '@latchkey/protocol'
import { sealedShareSchema, sealingKey } from '@latchkey/protocol/wallet'
import * as v from 'valibot'

export type { ImportInputs } from './requests.ts'

/** Why what was given is no key. */
export const keyProblems = ['not_a_key', 'wrong_length', 'out_of_range', 'seed_phrase'] as const
export type KeyProblem = (typeof keyProblems)[number]

const taken = v.union([
  v.strictObject({ address: evmAddress }),
  v.strictObject({ problem: v.picklist(keyProblems) }),
])

export const importOutputs = {
  begin: v.strictObject({ publicKey: sealingKey }),
  take: taken,
  takeSealed: taken,
  forget: v.strictObject({}),
  seal: v.strictObject({ key: sealedShareSchema }),
  stop: v.strictObject({}),
} as const
export type ImportOutputs = typeof importOutputs
