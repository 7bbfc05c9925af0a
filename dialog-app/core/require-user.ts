import { LatchkeyError, messages, type UserRecord } from '@latchkey/protocol'
import type { Session } from '../session/session.ts'
import type { Cancellable } from '../waiting.ts'

export const mustBeAuthenticated = () =>
  new LatchkeyError('must_be_authenticated', messages.mustBeAuthenticated)

export async function requireUser(session: Session, asker: Cancellable): Promise<UserRecord> {
  const user = await session.user(asker)
  if (!user) throw mustBeAuthenticated()
  return user
}
