import { type Capability, port } from '../../../kernel/capability.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { nowSeconds, type Reader } from '../../../kernel/ports.ts'
import {
  type AuthenticatorCodes,
  authenticatorCodes,
  type EnteredCode,
} from '../../../wallet/confirm/confirm.ts'
import { consumeStep, findMethod } from '../method-store.ts'
import { countAttempt, resetAttempts } from '../verification.ts'
import { totpEndpoints } from './routes.ts'
import { withSecret } from './secret.ts'
import { findCodeStep } from './totp.ts'

const method = 'totp'

/** Verifies and consumes an authenticator code for one confirmation. Counts the attempt first. */
async function use(context: ServerContext, { appId, userId, id, code }: EnteredCode): Promise<boolean> {
  const totp = await context.transaction(async (trx) => {
    await countAttempt(trx, context, { appId, userId, step: { operation: { id } } }, method)
    return findMethod(trx, userId, method)
  })
  if (totp?.status !== 'enrolled') return false
  const timed = { nowSeconds: nowSeconds(context.clock), lastStep: totp.last_step }
  const step = await withSecret(context, { appId, userId }, totp, (secret) =>
    findCodeStep(secret, code, timed),
  )
  if (step === undefined) return false
  return context.transaction(async (trx) => {
    if (!(await consumeStep(trx, totp.id, step))) return false
    await resetAttempts(trx, userId, method)
    return true
  })
}

async function since(reader: Reader, userId: string): Promise<number | undefined> {
  const totp = await findMethod(reader, userId, method)
  if (totp?.status !== 'enrolled' || totp.enrolled_at === null) return undefined
  return Math.max(totp.enrolled_at, totp.changed_at ?? 0)
}

const totpCodes: AuthenticatorCodes = { since, use }

export const mfaTotp: Capability = {
  name: 'mfa/totp',
  endpoints: totpEndpoints,
  settings: ['mfaMethods.totp'],
  wrapped: [{ table: 'mfa_methods', column: 'secret' }],
  ports: [port(authenticatorCodes, () => ({ value: totpCodes }))],
}
