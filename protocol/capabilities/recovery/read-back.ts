/** The stored recovery share of a user-owned method, as the server returns it to a vault. */
import * as v from 'valibot'
import { text } from '../../entities/primitives.ts'
import { cloudRecoveries } from '../../vault/recovery.ts'
import { sealedShareSchema } from '../../vault/shares.ts'

export const storedOwnRecoverySchema = v.variant('method', [
  v.object({ method: v.literal('user-passcode'), envelope: text }),
  v.object({ method: v.picklist([...cloudRecoveries, 'passkey']), envelope: sealedShareSchema }),
])
export type StoredOwnRecovery = v.InferOutput<typeof storedOwnRecoverySchema>
