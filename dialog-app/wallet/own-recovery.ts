/** What a user gives for a recovery that they keep themselves, in the form in which the wallet frame takes it. */
import type { Assertion } from '@latchkey/protocol/api'
import type { CloudCode } from '@latchkey/protocol/wallet'
import type { StepData } from './operations.ts'

export type OwnRecovery =
  | { readonly method: 'user-passcode'; readonly password: string }
  /** Google's answer, which the wallet frame redeems: the token that opens the folder is never here. */
  | { readonly method: 'google-drive'; readonly code: CloudCode }
  /** What Apple's own window said. */
  | { readonly method: 'icloud'; readonly session: string }
  /** What the passkey gave, as a key that can not be read. A new passkey is named; one that is there has answered. */
  | {
      readonly method: 'passkey'
      readonly given: CryptoKey
      readonly passkey: { readonly credentialId: string } | { readonly authenticatorResponse: Assertion }
    }

/** What a cloud or a passkey said is used up with its first use. */
export const canBeGivenAgain = (own: OwnRecovery | undefined) =>
  own === undefined || own.method === 'user-passcode'

export async function recoveryOf(publicKey: string, { operation }: StepData, own: OwnRecovery | undefined) {
  switch (own?.method) {
    case undefined:
      return { recoveryMethod: 'latchkey' as const }
    case 'user-passcode': {
      const { sealPassword } = await import('./seal-password.ts')
      const recoveryPassword = await sealPassword(publicKey, operation, own.password)
      return { recoveryMethod: own.method, recoveryPassword }
    }
    case 'google-drive':
      return { recoveryMethod: own.method, recoveryCode: own.code }
    case 'icloud':
      return { recoveryMethod: own.method, recoveryAccessToken: own.session }
    case 'passkey': {
      const { sealPasskey } = await import('./seal-passkey.ts')
      const secret = await sealPasskey(publicKey, operation, own.given)
      return { recoveryMethod: own.method, recoveryPasskey: { secret, ...own.passkey } }
    }
    default:
      return own satisfies never
  }
}
