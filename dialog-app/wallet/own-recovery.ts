/** A recovery method with a user-held secret, in the wallet frame's terms. */
import type { UserRecovery } from '@latchkey/protocol/wallet'
import type { Handle } from './operations.ts'

/** The user's input on the recovery page. The frame receives the secret from that page. */
export type OwnRecovery = {
  method: UserRecovery
  window: string
  confirmation?: Handle | undefined
}

/** Cloud and passkey responses are single-use; a password is not. */
export const isReusable = (own: OwnRecovery | undefined) =>
  own === undefined || own.method === 'user-passcode'

export const toRecoveryInput = (own: OwnRecovery | undefined) =>
  own === undefined
    ? { recoveryMethod: 'latchkey' as const }
    : { recoveryMethod: own.method, recoveryWindow: own.window }
