/** The recovery methods, by the name that calls and the server use. */
import { LatchkeyError, product, type RecoveryMethod } from '@latchkey/protocol'
import { automatic } from './automatic/automatic.ts'
import type { RecoveryInputs, RecoveryMethodPart } from './recovery-method.ts'

/** Each method is loaded on first use, because most users need at most one. */
export type RecoveryMethods = { [Name in RecoveryMethod]?: () => Promise<RecoveryMethodPart> }

const clouds = () => import('./clouds.ts')

export const recoveryMethods: RecoveryMethods = {
  [product.automaticRecovery]: async () => automatic,
  'user-passcode': async () => (await import('./password/password.ts')).password,
  'google-drive': async () => (await clouds()).googleDrive,
  icloud: async () => (await clouds()).icloud,
  passkey: async () => (await import('./passkey/passkey.ts')).passkey,
}

/** Returns the method by name; automatic recovery without a name. */
export async function loadRecoveryMethod(
  methods: RecoveryMethods,
  name: RecoveryMethod = product.automaticRecovery,
): Promise<RecoveryMethodPart> {
  const method = await methods[name]?.()
  if (method) return method
  throw new LatchkeyError('disallowed_recovery_method', `Recovery by ${name} is not available`)
}

export function requireInputs({ asks }: RecoveryMethodPart, inputs: RecoveryInputs): void {
  const missing = asks.find((input) => inputs[input] === undefined)
  if (missing === undefined) return
  throw new LatchkeyError('invalid_request_arguments', `This recovery needs '${missing}'`)
}
