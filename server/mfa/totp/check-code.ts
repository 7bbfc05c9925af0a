/** A code of an authenticator app, for what is no step of a wallet: it is worth what it was typed for, and nothing else. */
import type { ServerContext } from '../../context.ts'
import { nowSeconds } from '../../ports.ts'
import { countTry, forgetTries } from '../../verification/verification.ts'
import { findMethod, useStep } from '../store.ts'
import { withSecretOf } from './secret.ts'
import { stepOfCode } from './totp.ts'

const method = 'totp'

type Tried = {
  readonly appId: string
  readonly userId: string
  /** Its tries are counted together, and with those of the user. */
  readonly id: string
  readonly code: string
}

/** A try is counted before it is compared, and a code that was right is used up. */
export async function useTotpCode(
  context: ServerContext,
  { appId, userId, id, code }: Tried,
): Promise<boolean> {
  const own = await context.transaction(async (trx) => {
    await countTry(trx, context, { appId, userId, step: { operation: { id } } }, method)
    return findMethod(trx, userId, method)
  })
  if (own?.status !== 'enrolled') return false
  const timed = { nowSeconds: nowSeconds(context.clock), lastStep: own.last_step }
  const step = await withSecretOf(context, { appId, userId }, own, (secret) =>
    stepOfCode(secret, code, timed),
  )
  if (step === undefined) return false
  return context.transaction(async (trx) => {
    if (!(await useStep(trx, own.id, step))) return false
    await forgetTries(trx, userId, method)
    return true
  })
}
