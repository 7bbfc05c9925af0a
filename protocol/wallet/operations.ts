/** Operations of the vault: their steps, and what of a wallet they have in hand. */
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
