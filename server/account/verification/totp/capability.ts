import { type Capability, port } from '../../../kernel/capability.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { nowSeconds, type Reader } from '../../../kernel/ports.ts'
import {
  type AuthenticatorCodes,
  authenticatorCodes,
  type EnteredCode,
} from '../../../wallet/confirm/confirm.ts'
import { findMethod, useStep } from '../method-store.ts'
import { countTry, forgetTries } from '../verification.ts'
import { totpEndpoints } from './routes.ts'
import { withSecretOf } from './secret.ts'
import { stepOfCode } from './totp.ts'

const method = 'totp'

/** A code that is typed for no step of a wallet is worth what it was typed for, and nothing else. */
async function use(context: ServerContext, { appId, userId, id, code }: EnteredCode): Promise<boolean> {
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

async function since(reader: Reader, userId: string): Promise<number | undefined> {
  const own = await findMethod(reader, userId, method)
  if (own?.status !== 'enrolled' || own.enrolled_at === null) return undefined
  return Math.max(own.enrolled_at, own.changed_at ?? 0)
}

const totpCodes: AuthenticatorCodes = { since, use }

export const mfaTotp: Capability = {
  name: 'mfa/totp',
  endpoints: totpEndpoints,
  settings: ['mfaMethods.totp'],
  wrapped: [{ table: 'mfa_methods', column: 'secret' }],
  ports: [port(authenticatorCodes, () => ({ value: totpCodes }))],
}
