/** The verification methods of a user, and those that the app and the host offer. */
import { type MfaMethodType, mfaMethodTypes, type UserRecord } from '@latchkey/protocol'
import type { Settings } from '../../../host/settings.ts'

export type OfferedMethod = {
  method: MfaMethodType
  status: 'offered' | 'recommended' | 'added' | 'disabled'
}

/** Returns whether the method can be added. */
export const isFree = ({ status }: OfferedMethod): boolean => status === 'offered' || status === 'recommended'

/** Returns the methods in their order. A user can remove a method that is not offered any more. */
export const getOfferedMethods = (settings: Settings, user: UserRecord): readonly OfferedMethod[] =>
  mfaMethodTypes
    .map((method) => ({ method, isAdded: user.mfaMethods.some(({ type }) => type === method) }))
    .filter(({ method, isAdded }) => isAdded || isOffered(settings, method))
    .map(({ method, isAdded }) => ({ method, status: isAdded ? 'added' : getStatus(method, user) }))

/** A host may offer fewer methods than the app, but no others. */
const isOffered = ({ app, config }: Settings, method: MfaMethodType): boolean =>
  app.mfaMethods.includes(method) && (config.mfa?.methods?.includes(method) ?? true)

function getStatus(method: MfaMethodType, user: UserRecord): OfferedMethod['status'] {
  if (method === 'totp') return 'recommended'
  return method === 'sms' && logsInBySms(user) ? 'disabled' : 'offered'
}

/** The phone would be both factors. */
const logsInBySms = ({ linkedAccounts }: UserRecord) => linkedAccounts.some(({ type }) => type === 'phone')
