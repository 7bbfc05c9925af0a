import { LatchkeyError, messages, type UserRecord } from '@latchkey/protocol'
import type { Cancellable } from '../browser/waiting.ts'
import type { FlowPorts } from '../contract/ports.ts'
import { termsAreDue } from './settings.ts'

export const mustBeAuthenticated = () =>
  new LatchkeyError('must_be_authenticated', messages.mustBeAuthenticated)

/** Who still has to accept the terms is nobody yet. */
export async function requireUser(
  { session, settings }: Pick<FlowPorts, 'session' | 'settings'>,
  asker: Cancellable,
): Promise<UserRecord> {
  const user = await session.user(asker)
  if (!user || termsAreDue(settings(), user)) throw mustBeAuthenticated()
  return user
}
