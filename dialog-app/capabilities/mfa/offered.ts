/** Which methods the app, its host and the user's own way in leave to choose from. */
import { type MfaMethodType, mfaMethodTypes, type UserRecord } from '@latchkey/protocol'
import type { Settings } from '../../host/settings.ts'
import type { OfferedMethod } from './enrol/enrolment-screen.tsx'

/** The host may offer fewer than the app has, never others. */
export const isOffered = ({ app, config }: Settings, method: MfaMethodType): boolean =>
  app.mfaMethods.includes(method) && (config.mfa?.methods?.includes(method) ?? true)

/** Those that were added stay to be removed, whatever is offered now. */
export const offeredMethods = (settings: Settings, user: UserRecord): readonly OfferedMethod[] =>
  mfaMethodTypes
    .map((method) => ({ method, isAdded: user.mfaMethods.some(({ type }) => type === method) }))
    .filter(({ method, isAdded }) => isAdded || isOffered(settings, method))
    .map(({ method, isAdded }) => ({ method, status: isAdded ? 'added' : statusOf(method, user) }))

function statusOf(method: MfaMethodType, user: UserRecord): OfferedMethod['status'] {
  if (method === 'totp') return 'recommended'
  return method === 'sms' && logsInBySms(user) ? 'disabled' : 'offered'
}

/** Whoever has the phone would have both ways in. */
const logsInBySms = ({ linkedAccounts }: UserRecord) => linkedAccounts.some(({ type }) => type === 'phone')
