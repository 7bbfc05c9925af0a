/** A recovery that the user keeps themselves, in the form in which the wallet frame takes it. */
import type { CloudCode, WindowRecovery } from '@latchkey/protocol/wallet'
import type { Handle } from './operations.ts'

export type OwnRecovery =
  /** What was given in a window of the wallet's origin, which the frame has from there. */
  | { readonly method: WindowRecovery; readonly window: string; readonly confirmation?: Handle | undefined }
  /** Google's answer, which the wallet frame redeems: the token that opens the folder is never here. */
  | {
      readonly method: 'google-drive'
      readonly code: CloudCode
      readonly confirmation?: Handle | undefined
    }
  /** What Apple's own window said. */
  | { readonly method: 'icloud'; readonly session: string; readonly confirmation?: Handle | undefined }

/** What a cloud or a passkey said is used up with its first use. */
export const canBeGivenAgain = (own: OwnRecovery | undefined) =>
  own === undefined || own.method === 'user-passcode'

export function recoveryOf(own: OwnRecovery | undefined) {
  switch (own?.method) {
    case undefined:
      return { recoveryMethod: 'latchkey' as const }
    case 'user-passcode':
    case 'passkey':
      return { recoveryMethod: own.method, recoveryWindow: own.window }
    case 'google-drive':
      return { recoveryMethod: own.method, recoveryCode: own.code }
    case 'icloud':
      return { recoveryMethod: own.method, recoveryAccessToken: own.session }
    default:
      return own satisfies never
  }
}
