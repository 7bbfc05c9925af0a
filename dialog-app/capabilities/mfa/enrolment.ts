/** Shows the user's verification methods, adds some and removes some. Resolves with the user afterwards. */
import { LatchkeyError, type MfaMethodType, type UserRecord } from '@latchkey/protocol'
import { createCall } from '../../app/screen-stack.ts'
import { done, type Flow } from '../../flow/flow.ts'
import { mustBeAuthenticated } from '../../host/require-user.ts'
import { getOfferedMethods, isFree } from './enrol/offered-methods.ts'
import type { MfaPorts } from './ports.ts'
import { enrolmentScreen } from './screens.ts'

/** The intro is for users without a method. */
export type Start = { at: 'intro' | 'choice' } | { at: 'enrolment' | 'removal'; method: MfaMethodType }

export function manageMethods(ports: MfaPorts, start: Start = { at: 'intro' }): Flow<UserRecord> {
  const toUser = () => done(requireUser(ports))
  return createCall(ports, { kind: 'mfa_enrollment', onClose: toUser, onBack: toUser }, async ({ open }) => {
    const user = requireUser(ports)
    requireChange(ports, user, start)
    const isNew = user.mfaMethods.length === 0
    await open(enrolmentScreen, {
      ports,
      start: start.at === 'intro' && !isNew ? { at: 'choice' } : start,
    })
    return requireUser(ports)
  })
}

function requireUser({ session }: Pick<MfaPorts, 'session'>): UserRecord {
  const state = session.state()
  if (state.status !== 'authenticated') throw mustBeAuthenticated()
  return state.user
}

/** Throws if the user cannot change their methods in this way. */
function requireChange({ settings }: Pick<MfaPorts, 'settings'>, user: UserRecord, start: Start): void {
  const methods = getOfferedMethods(settings(), user)
  if (methods.length === 0) throw notSupported('This app has no multi-factor verification')
  if (!('method' in start)) return
  const offered = methods.find(({ method }) => method === start.method)
  const isPossible = offered && (start.at === 'enrolment' ? isFree(offered) : offered.status === 'added')
  if (!isPossible) throw notSupported(`The method ${start.method} can not be changed like this`)
}

const notSupported = (message: string) => new LatchkeyError('not_supported', message)
