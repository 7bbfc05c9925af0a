import { LatchkeyError, messages, type UserRecord } from '@latchkey/protocol'
import type { Cancellable } from '../browser/waiting.ts'
import type { Session } from '../session/session.ts'
import { type Settings, termsAreDue } from './settings.ts'

export const mustBeAuthenticated = () =>
  new LatchkeyError('must_be_authenticated', messages.mustBeAuthenticated)

/** Who still has to accept the terms is nobody yet. */
export async function requireUser(
  { session, settings }: { session: Session; settings: () => Settings },
  options: Cancellable,
): Promise<UserRecord> {
  const user = await session.user(options)
  if (!user || termsAreDue(settings(), user)) throw mustBeAuthenticated()
  return user
}
