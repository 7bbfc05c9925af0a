/** Creates and unwraps the stored secret of an authenticator app. */
import { randomBytes } from 'node:crypto'
import { LatchkeyError } from '@latchkey/protocol'
import type { ServerContext } from '../../../kernel/context.ts'
import { randomId } from '../../../kernel/ids.ts'
import { mfaServerLimits } from '../limits.ts'

type Owner = { appId: string; userId: string }
export type WrappedSecret = { id: string; secret: string }

const getContext = ({ appId, userId }: Owner, id: string) =>
  new TextEncoder().encode([appId, userId, id].join('.'))

export async function newSecret({ kms }: ServerContext, owner: Owner): Promise<WrappedSecret> {
  const id = randomId()
  const secret = randomBytes(mfaServerLimits.totpSecretBytes)
  try {
    return { id, secret: await kms.wrap('totp-secret', secret, getContext(owner, id)) }
  } finally {
    secret.fill(0)
  }
}

/** Unwraps the secret for the duration of the callback, then zeroes it. */
export async function withSecret<Result>(
  { kms }: ServerContext,
  owner: Owner,
  { id, secret: wrapped }: { id: string; secret: string | null },
  work: (secret: Uint8Array) => Result,
): Promise<Result> {
  if (wrapped === null) throw new LatchkeyError('internal_error', 'An authenticator app has no secret')
  const secret = await kms.unwrap('totp-secret', wrapped, getContext(owner, id))
  try {
    return work(secret)
  } finally {
    secret.fill(0)
  }
}
