import { LatchkeyError, messages, type UserRecord } from '@latchkey/protocol'
import type { Session } from '../session/session.ts'

export const mustBeAuthenticated = () =>
  new LatchkeyError('must_be_authenticated', messages.mustBeAuthenticated)

export async function requireUser(session: Session): Promise<UserRecord> {
  const user = await session.user()
  if (!user) throw mustBeAuthenticated()
  return user
}
