/** The fresh passkey assertion that an operator adds to a destructive call. */
import { fromWire, toWire } from '@latchkey/protocol'
import { confirmationHeader, confirmationProblem, confirmationSchema } from '@latchkey/protocol/admin'
import type { Assertion } from '@latchkey/protocol/api'
import type { Context } from 'hono'
import * as v from 'valibot'
import type { ServerContext } from '../../../kernel/context.ts'
import { AdminError } from '../../../kernel/http/admin-endpoint.ts'
import { acceptAssertion, beginAssertion, signInFailed } from './ceremony.ts'
import { listPasskeys } from './operators.ts'
import type { LivingSession } from './session.ts'

/**
 * Verifies the assertion of the call's header. Without one, throws an error with the options for the
 * assertion. `call` is the digest of method, path, conditions and body: an assertion is valid for this call of this session, once.
 */
export async function requireConfirmation(
  c: Context,
  context: ServerContext,
  { tokenHash, operator }: LivingSession,
  call: string,
): Promise<void> {
  const occasion = { purpose: 'confirm', session: tokenHash, call } as const
  const header = c.req.header(confirmationHeader)
  if (header === undefined) {
    if ((await listPasskeys(context.db, operator.id)).length === 0) {
      throw new AdminError('passkey_required', 'Register one on the screen "Your passkeys"')
    }
    const confirmation = await beginAssertion(context, occasion)
    throw new AdminError('confirmation_required', 'Confirm the call with your passkey', {
      members: toWire(confirmationProblem, { code: 'confirmation_required', confirmation }) as object,
    })
  }
  const passkey = await acceptAssertion(context, occasion, parseHeader(header))
  if (passkey.operator_id !== operator.id) throw signInFailed()
}

function parseHeader(header: string): Assertion {
  const wire = v.safeParse(v.pipe(v.string(), v.parseJson()), Buffer.from(header, 'base64url').toString())
  const parsed = v.safeParse(confirmationSchema, fromWire(confirmationSchema, wire.output))
  if (wire.success && parsed.success) return parsed.output
  throw new AdminError('invalid_data', 'This is no passkey assertion', { path: confirmationHeader })
}
