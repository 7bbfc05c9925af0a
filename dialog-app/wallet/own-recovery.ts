/** A recovery that the user keeps themselves, in the form in which the wallet frame takes it. */
import type { UserRecovery } from '@latchkey/protocol/wallet'
import type { Handle } from './operations.ts'

/** What was given in a window of the wallet's origin, which the frame has from there. */
export type OwnRecovery = {
  method: UserRecovery
  window: string
  confirmation?: Handle | undefined
}

/** What a cloud or a passkey said is used up with its first use. */
export const canBeGivenAgain = (own: OwnRecovery | undefined) =>
  own === undefined || own.method === 'user-passcode'

export const recoveryOf = (own: OwnRecovery | undefined) =>
  own === undefined
    ? { recoveryMethod: 'latchkey' as const }
    : { recoveryMethod: own.method, recoveryWindow: own.window }
