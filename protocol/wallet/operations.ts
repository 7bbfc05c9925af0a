/** Operations of the vault, and what a wallet token may be made for. */
import * as v from 'valibot'
import { id } from '../entities/primitives.ts'

/** Steps are numbered from 1; a later step has a greater number. */
export const operationStepSchema = v.object({
  id,
  step: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(99)),
})
export type OperationStep = v.InferOutput<typeof operationStepSchema>

export const shareRoles = ['device', 'auth', 'recovery'] as const
export type ShareRole = (typeof shareRoles)[number]

type PurposeRule = {
  /** Whether a forked session may have a token for this. */
  readonly forks: boolean
  /** The shares that the server releases for it. */
  readonly releases: readonly ShareRole[]
}

/** A token is for one purpose; a route says which purposes it serves. */
export const walletPurposes = {
  create: { forks: false, releases: [] },
  connect: { forks: true, releases: [] },
  sign: { forks: true, releases: ['auth'] },
  recover: { forks: false, releases: ['auth', 'recovery'] },
  /** A new generation of shares, of which the user keeps the one for recovery. */
  'set-recovery': { forks: false, releases: ['auth'] },
} as const satisfies Readonly<Record<string, PurposeRule>>
export type WalletPurpose = keyof typeof walletPurposes

const names = Object.keys(walletPurposes) as [WalletPurpose, ...WalletPurpose[]]
export const walletPurposeSchema = v.picklist(names)
