import { LatchkeyError } from '@latchkey/protocol'
import { mfaRoutes } from '@latchkey/protocol/api'
import { requireOlderMethod } from '../../../identity/new-methods/new-methods.ts'
import { requireLivingSession } from '../../../identity/sessions/sessions.ts'
import { findOwnIdentifiers } from '../../../identity/users/users.ts'
import type { ServerContext, WalletToken } from '../../../kernel/context.ts'
import { type Endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import { type App, nowSeconds, type Trx } from '../../../kernel/ports.ts'
import {
  challengeOfVerification,
  checkAssertion,
  countPasskeyOn,
  getRelyingParty,
  isEnrolled,
  type LoginAttempt,
  newChallenge,
  requireRelyingParty,
  reserveVerification,
  setEnrolled,
  verificationOptions,
} from '../../../login/passkey/passkey.ts'
import { notifyOfFactorChange, renderUser } from '../change.ts'
import {
  auditChange,
  beginEnrolment,
  endEnrolment,
  holdMethods,
  removeMethod,
  requireOffered,
  unchanged,
} from '../enrolment.ts'
import { markChanged } from '../method-store.ts'
import {
  consumeVerification,
  countAttempt,
  createVerification,
  renderVerification,
  unverified,
} from '../verification.ts'

const method = 'passkey'

type Owner = { appId: string; userId: string }

async function enrolledPasskeys(trx: Trx, owner: Owner): Promise<readonly string[]> {
  const enrolled: string[] = []
  for (const id of await findOwnIdentifiers(trx, owner, 'passkey')) {
    if ((await isEnrolled(trx, owner, id)) === true) enrolled.push(id)
  }
  return enrolled
}

export const mfaPasskeyEndpoints: readonly Endpoint[] = [
  replayedEndpoint(mfaRoutes.beginPasskeyVerification, {
    decide: async (trx, { app, caller }, context) => {
      await requireLivingSession(trx, context, caller.sessionId)
      const enrolled = await enrolledPasskeys(trx, caller)
      if (enrolled.length === 0) {
        throw new LatchkeyError('missing_or_invalid_mfa', 'The user has no passkey as a second factor')
      }
      return { ...(await newChallenge(trx, context, challengeOfVerification({ app, caller }))), enrolled }
    },
    render: async ({ challenge, enrolled }, { caller }, context) => ({
      relyingParty: getRelyingParty(context),
      options: await verificationOptions(context, caller, challenge, enrolled),
    }),
  }),

  replayedEndpoint(mfaRoutes.verifyPasskey, {
    reserve: async (trx, { app, caller, body }, context, previous: LoginAttempt | undefined) => {
      if (previous) return previous
      requireRelyingParty(context, body.relyingParty)
      await requireLivingSession(trx, context, caller.sessionId)
      await countAttempt(trx, context, caller, method)
      const target = challengeOfVerification({ app, caller })
      const mayVerify = async (id: string) => (await isEnrolled(trx, caller, id)) === true
      return reserveVerification(trx, context, target, body.authenticatorResponse, mayVerify)
    },
    // Calls no third party, but signature checks are asynchronous, so they run outside a transaction.
    ask: {
      repeatable: true,
      run: (attempt, { app, body }, context) =>
        checkAssertion(context, app, attempt, body.authenticatorResponse, { isNamed: true }),
    },
    decide: async (trx, { caller }, context, { reserved: { passkey }, answer }) => {
      if (answer.type === 'wrong') {
        context.log.info({ reason: answer.reason, why: answer.why }, 'Passkey verification failed')
        return unverified
      }
      if (passkey === null || !(await countPasskeyOn(trx, passkey, answer.counter))) return unverified
      return createVerification(trx, context, caller, method)
    },
    render: (outcome, _call, context) => renderVerification(outcome, context),
  }),

  replayedEndpoint(mfaRoutes.enrollPasskeys, {
    decide: async (trx, { app, caller, body }, context) => {
      await holdMethods(trx, context, caller)
      const current = await enrolledPasskeys(trx, caller)
      const nextIds = new Set(body.credentialIds)
      const added = [...nextIds].filter((id) => !current.includes(id))
      if (added.length > 0) requireOffered(app, method)
      for (const id of added) await requireOwn(trx, caller, id)
      const outcome = await changeList(
        trx,
        context,
        { app, caller },
        { current, wanted: nextIds, mfaToken: body.mfaToken },
      )
      for (const id of added) await setEnrolled(trx, caller, id, true)
      for (const id of current) if (!nextIds.has(id)) await setEnrolled(trx, caller, id, false)
      return outcome
    },
    perform: (outcome, call, context) => notifyOfFactorChange(outcome, call, context),
    render: (_outcome, call, context) => renderUser(call, context),
  }),
]

async function requireOwn(trx: Trx, caller: WalletToken, id: string): Promise<void> {
  if ((await isEnrolled(trx, caller, id)) !== 'no passkey of theirs') return
  throw new LatchkeyError('linked_account_not_found', 'The user has no such passkey')
}

type List = {
  current: readonly string[]
  wanted: ReadonlySet<string>
  mfaToken: string | undefined
}

/** Enrols the method with the first passkey, removes it with the last, and otherwise changes the list. */
async function changeList(
  trx: Trx,
  context: ServerContext,
  parties: { app: App; caller: WalletToken },
  { current, wanted, mfaToken }: List,
) {
  const { caller } = parties
  if (wanted.size === 0) return removeMethod(trx, context, parties, method, mfaToken)
  if (current.length === 0) {
    const id = await beginEnrolment(trx, context, caller, { method, kept: {}, mfaToken })
    return endEnrolment(trx, context, caller, { id, method, is_verified: 1 }, { mfaToken })
  }
  if (wanted.size === current.length && current.every((id) => wanted.has(id))) return unchanged
  const by = await consumeVerification(trx, context, caller, mfaToken)
  await requireOlderMethod(trx, context, { ...parties, verifiedBy: by })
  await markChanged(trx, { userId: caller.userId, method, nowSeconds: nowSeconds(context.clock) })
  const details = { method, passkeys: wanted.size, verified: by ?? null }
  await auditChange(trx, context, caller, 'mfa.passkeys_changed', details)
  return { type: 'changed', change: 'replaced', method } as const
}
