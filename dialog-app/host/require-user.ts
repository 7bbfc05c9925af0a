import { LatchkeyError, messages, type UserRecord } from '@latchkey/protocol'
import type { Cancellable } from '../browser/waiting.ts'
import type { Session } from '../session/session.ts'
import { mustAcceptTerms, type Settings } from './settings.ts'

export const mustBeAuthenticated = () =>
  new LatchkeyError('must_be_authenticated', messages.mustBeAuthenticated)

/** Returns the user, or throws if no user is logged in or the terms are not accepted yet. */
export async function requireUser(
  { session, settings }: { session: Session; settings: () => Settings },
  options: Cancellable,
): Promise<UserRecord> {
  const user = await session.user(options)
  if (!user || mustAcceptTerms(settings(), user)) throw mustBeAuthenticated()
  return user
}
