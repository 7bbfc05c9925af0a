import { mfaRoutes } from '@latchkey/protocol/api'
import { livingSession } from '../../../identity/sessions/sessions.ts'
import { requireUser } from '../../../identity/users/users.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { type Endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import { nowSeconds } from '../../../kernel/ports.ts'
import { changeAnswer, tellOfChange, wrongEnrolmentCode } from '../change.ts'
import {
  beginEnrolment,
  endEnrolment,
  holdMethods,
  openEnrolment,
  requireOffered,
  requireReady,
} from '../enrolment.ts'
import { findMethod, type MfaMethod, useStep } from '../method-store.ts'
import { removalEndpoint } from '../removal.ts'
import { countTry, unverified, verified, verifiedAnswer } from '../verification.ts'
import { newSecret, withSecretOf } from './secret.ts'
import { base32, keyUri, stepOfCode } from './totp.ts'

const method = 'totp'

type Guess = Pick<MfaMethod, 'id' | 'secret' | 'last_step' | 'method' | 'is_verified'>
const guessAt = ({ id, secret, last_step, method, is_verified }: MfaMethod): Guess => ({
  id,
  secret,
  last_step,
  method,
  is_verified,
})

/** Null for a code of no step that may still be used. */
const stepOf = (
  context: ServerContext,
  owner: { appId: string; userId: string },
  guess: Guess,
  code: string,
): Promise<number | null> =>
  withSecretOf(
    context,
    owner,
    guess,
    (secret) =>
      stepOfCode(secret, code, { nowSeconds: nowSeconds(context.clock), lastStep: guess.last_step }) ?? null,
  )

export const totpEndpoints: readonly Endpoint[] = [
  replayedEndpoint(mfaRoutes.beginTotp, {
    // Nobody outside is asked: keys are waited for outside of transactions.
    ask: { repeatable: true, run: (_nothing, { caller }, context) => newSecret(context, caller) },
    decide: async (trx, { app, caller, body }, context, { answer: kept }) => {
      requireOffered(app, method)
      await holdMethods(trx, context, caller)
      return { id: await beginEnrolment(trx, context, caller, { method, kept, mfaToken: body.mfaToken }) }
    },
    // Read anew each time: once the enrolment is over nobody is told the secret again.
    render: async (_outcome, { app, caller }, context) => {
      const enrolment = await openEnrolment(context.db, context, caller, method)
      const secret = await withSecretOf(context, caller, enrolment, base32)
      const account = await nameOf(context, caller)
      return { totpSecret: secret, totpAuthUrl: keyUri({ secret, issuer: app.name, account }) }
    },
  }),

  replayedEndpoint(mfaRoutes.enrollTotp, {
    reserve: async (trx, { app, caller, body }, context) => {
      requireOffered(app, method)
      await livingSession(trx, context, caller.sessionId)
      const enrolment = await openEnrolment(trx, context, caller, method)
      await requireReady(trx, context, caller, enrolment, body.mfaToken)
      return guessAt(enrolment)
    },
    ask: {
      repeatable: true,
      run: (guess, { caller, body }, context) => stepOf(context, caller, guess, body.code),
    },
    decide: async (trx, { caller, body }, context, { reserved, answer: lastStep }) => {
      if (lastStep === null) return unverified
      await holdMethods(trx, context, caller)
      return endEnrolment(trx, context, caller, reserved, { mfaToken: body.mfaToken, lastStep })
    },
    perform: (outcome, call, context) => tellOfChange(outcome, call, context),
    render: (outcome, call, context) => {
      if (outcome.type === 'wrong') throw wrongEnrolmentCode()
      return changeAnswer(call, context)
    },
  }),

  replayedEndpoint(mfaRoutes.verifyTotp, {
    reserve: async (trx, { caller }, context, before: Guess | 'none' | undefined) => {
      if (before) return before
      await livingSession(trx, context, caller.sessionId)
      await countTry(trx, context, caller, method)
      const own = await findMethod(trx, caller.userId, method)
      return own?.status === 'enrolled' ? guessAt(own) : 'none'
    },
    ask: {
      repeatable: true,
      run: async (guess, { caller, body }, context) =>
        guess === 'none' ? null : stepOf(context, caller, guess, body.code),
    },
    decide: async (trx, { caller }, context, { reserved, answer: step }) => {
      if (reserved === 'none' || step === null) return unverified
      // Of two who bring the same code at once, one was first.
      if (!(await useStep(trx, reserved.id, step))) return unverified
      return verified(trx, context, caller, method)
    },
    render: (outcome, _call, context) => verifiedAnswer(outcome, context),
  }),

  removalEndpoint(mfaRoutes.unenrollTotp, method),
]

/** What an authenticator app writes under the name of the app. */
async function nameOf(
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
