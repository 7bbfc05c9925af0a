import { mfaRoutes } from '@latchkey/protocol/api'
import { requireLivingSession } from '../../../identity/sessions/sessions.ts'
import { requireUser } from '../../../identity/users/users.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { type Endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import { nowSeconds } from '../../../kernel/ports.ts'
import { notifyOfFactorChange, renderUser, wrongEnrolmentCode } from '../change.ts'
import {
  beginEnrolment,
  endEnrolment,
  holdMethods,
  openEnrolment,
  requireOffered,
  requireReady,
} from '../enrolment.ts'
import { consumeStep, findMethod, type MfaMethod } from '../method-store.ts'
import { removalEndpoint } from '../removal.ts'
import { countAttempt, createVerification, renderVerification, unverified } from '../verification.ts'
import { newSecret, withSecret } from './secret.ts'
import { base32, findCodeStep, keyUri } from './totp.ts'

const method = 'totp'

type Guess = Pick<MfaMethod, 'id' | 'secret' | 'last_step' | 'method' | 'is_verified'>
const toGuess = ({ id, secret, last_step, method, is_verified }: MfaMethod): Guess => ({
  id,
  secret,
  last_step,
  method,
  is_verified,
})

/** Returns the time step of the code, or null if no unused step matches. */
const findStep = (
  context: ServerContext,
  owner: { appId: string; userId: string },
  guess: Guess,
  code: string,
): Promise<number | null> =>
  withSecret(
    context,
    owner,
    guess,
    (secret) =>
      findCodeStep(secret, code, { nowSeconds: nowSeconds(context.clock), lastStep: guess.last_step }) ??
      null,
  )

export const totpEndpoints: readonly Endpoint[] = [
  replayedEndpoint(mfaRoutes.beginTotp, {
    // Calls no third party, but waits for keys, which must happen outside a transaction.
    ask: { repeatable: true, run: (_nothing, { caller }, context) => newSecret(context, caller) },
    decide: async (trx, { app, caller, body }, context, { answer: kept }) => {
      requireOffered(app, method)
      await holdMethods(trx, context, caller)
      return { id: await beginEnrolment(trx, context, caller, { method, kept, mfaToken: body.mfaToken }) }
    },
    // Reads the enrolment again, so that a finished enrolment no longer reveals its secret.
    render: async (_outcome, { app, caller }, context) => {
      const enrolment = await openEnrolment(context.db, context, caller, method)
      const secret = await withSecret(context, caller, enrolment, base32)
      const account = await getAccountName(context, caller)
      return { totpSecret: secret, totpAuthUrl: keyUri({ secret, issuer: app.name, account }) }
    },
  }),

  replayedEndpoint(mfaRoutes.enrollTotp, {
    reserve: async (trx, { app, caller, body }, context) => {
      requireOffered(app, method)
      await requireLivingSession(trx, context, caller.sessionId)
      const enrolment = await openEnrolment(trx, context, caller, method)
      await requireReady(trx, context, caller, enrolment, body.mfaToken)
      return toGuess(enrolment)
    },
    ask: {
      repeatable: true,
      run: (guess, { caller, body }, context) => findStep(context, caller, guess, body.code),
    },
    decide: async (trx, { caller, body }, context, { reserved, answer: lastStep }) => {
      if (lastStep === null) return unverified
      await holdMethods(trx, context, caller)
      return endEnrolment(trx, context, caller, reserved, { mfaToken: body.mfaToken, lastStep })
    },
    perform: (outcome, call, context) => notifyOfFactorChange(outcome, call, context),
    render: (outcome, call, context) => {
      if (outcome.type === 'wrong') throw wrongEnrolmentCode()
      return renderUser(call, context)
    },
  }),

  replayedEndpoint(mfaRoutes.verifyTotp, {
    reserve: async (trx, { caller }, context, previous: Guess | 'none' | undefined) => {
      if (previous) return previous
      await requireLivingSession(trx, context, caller.sessionId)
      await countAttempt(trx, context, caller, method)
      const own = await findMethod(trx, caller.userId, method)
      return own?.status === 'enrolled' ? toGuess(own) : 'none'
    },
    ask: {
      repeatable: true,
      run: async (guess, { caller, body }, context) =>
        guess === 'none' ? null : findStep(context, caller, guess, body.code),
    },
    decide: async (trx, { caller }, context, { reserved, answer: step }) => {
      if (reserved === 'none' || step === null) return unverified
      // Only one of two concurrent calls with the same code succeeds.
      if (!(await consumeStep(trx, reserved.id, step))) return unverified
      return createVerification(trx, context, caller, method)
    },
    render: (outcome, _call, context) => renderVerification(outcome, context),
  }),

  removalEndpoint(mfaRoutes.unenrollTotp, method),
]

/** Returns the account name that the authenticator app displays. */
async function getAccountName(
  { db }: ServerContext,
  { appId, userId }: { appId: string; userId: string },
): Promise<string> {
  const { linkedAccounts } = await requireUser(db, appId, userId)
  for (const account of linkedAccounts) {
    if (account.type === 'email') return account.address
    if (account.type === 'phone') return account.phoneNumber
  }
  return userId
}
