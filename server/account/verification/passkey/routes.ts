import { LatchkeyError } from '@latchkey/protocol'
import { mfaRoutes } from '@latchkey/protocol/api'
import { requireOlderMethod } from '../../../identity/new-methods/new-methods.ts'
import { livingSession } from '../../../identity/sessions/sessions.ts'
import { ownAccountsOf } from '../../../identity/users/users.ts'
import type { ServerContext, WalletToken } from '../../../kernel/context.ts'
import { type Endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import { type App, nowSeconds, type Trx } from '../../../kernel/ports.ts'
import {
  challengeOfVerification,
  checkAssertion,
  countPasskeyOn,
  isEnrolled,
  type LoginAttempt,
  newChallenge,
  relyingPartyOf,
  requireRelyingParty,
  reserveVerification,
  setEnrolled,
  verificationOptions,
} from '../../../login/passkey/passkey.ts'
import { changeAnswer, tellOfChange } from '../change.ts'
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
import { countTry, unverified, useVerification, verified, verifiedAnswer } from '../verification.ts'

const method = 'passkey'

type Owner = { appId: string; userId: string }

async function enrolledPasskeys(trx: Trx, owner: Owner): Promise<readonly string[]> {
  const enrolled: string[] = []
  for (const id of await ownAccountsOf(trx, owner, 'passkey')) {
    if ((await isEnrolled(trx, owner, id)) === true) enrolled.push(id)
  }
  return enrolled
}

export const mfaPasskeyEndpoints: readonly Endpoint[] = [
  replayedEndpoint(mfaRoutes.beginPasskeyVerification, {
    decide: async (trx, { app, caller }, context) => {
      await livingSession(trx, context, caller.sessionId)
      const enrolled = await enrolledPasskeys(trx, caller)
      if (enrolled.length === 0) {
        throw new LatchkeyError('missing_or_invalid_mfa', 'No passkey verifies this user')
      }
      return { ...(await newChallenge(trx, context, challengeOfVerification({ app, caller }))), enrolled }
    },
    render: async ({ challenge, enrolled }, { caller }, context) => ({
      relyingParty: relyingPartyOf(context),
      options: await verificationOptions(context, caller, challenge, enrolled),
    }),
  }),

  replayedEndpoint(mfaRoutes.verifyPasskey, {
    reserve: async (trx, { app, caller, body }, context, before: LoginAttempt | undefined) => {
      if (before) return before
      requireRelyingParty(context, body.relyingParty)
      await livingSession(trx, context, caller.sessionId)
      await countTry(trx, context, caller, method)
      const of = challengeOfVerification({ app, caller })
      const mayVerify = async (id: string) => (await isEnrolled(trx, caller, id)) === true
      return reserveVerification(trx, context, of, body.authenticatorResponse, mayVerify)
    },
    // Nobody outside is asked: signatures are checked outside of transactions because they are awaited.
    ask: {
      repeatable: true,
      run: (attempt, { app, body }, context) =>
        checkAssertion(context, app, attempt, body.authenticatorResponse, { isNamed: true }),
    },
    decide: async (trx, { caller }, context, { reserved: { passkey }, answer }) => {
      if (answer.type === 'wrong') {
        context.log.info({ reason: answer.reason, why: answer.why }, 'A passkey did not verify its user')
        return unverified
      }
      if (passkey === null || !(await countPasskeyOn(trx, passkey, answer.counter))) return unverified
      return verified(trx, context, caller, method)
    },
    render: (outcome, _call, context) => verifiedAnswer(outcome, context),
  }),

  replayedEndpoint(mfaRoutes.enrollPasskeys, {
    decide: async (trx, { app, caller, body }, context) => {
      await holdMethods(trx, context, caller)
      const before = await enrolledPasskeys(trx, caller)
      const wanted = new Set(body.credentialIds)
      const added = [...wanted].filter((id) => !before.includes(id))
      if (added.length > 0) requireOffered(app, method)
      for (const id of added) await requireOwn(trx, caller, id)
      const outcome = await changeList(
        trx,
        context,
        { app, caller },
        { before, wanted, mfaToken: body.mfaToken },
      )
      for (const id of added) await setEnrolled(trx, caller, id, true)
      for (const id of before) if (!wanted.has(id)) await setEnrolled(trx, caller, id, false)
      return outcome
    },
    perform: (outcome, call, context) => tellOfChange(outcome, call, context),
    render: (_outcome, call, context) => changeAnswer(call, context),
  }),
]

async function requireOwn(trx: Trx, caller: WalletToken, id: string): Promise<void> {
  if ((await isEnrolled(trx, caller, id)) !== 'no passkey of theirs') return
  throw new LatchkeyError('linked_account_not_found', 'The user has no such passkey')
}

type List = {
  before: readonly string[]
  wanted: ReadonlySet<string>
  mfaToken: string | undefined
}

/** The first passkey enrols the method, the last one takes it along; between them the list is another. */
async function changeList(
  trx: Trx,
  context: ServerContext,
  of: { app: App; caller: WalletToken },
  { before, wanted, mfaToken }: List,
) {
  const { caller } = of
  if (wanted.size === 0) return removeMethod(trx, context, of, method, mfaToken)
  if (before.length === 0) {
    const id = await beginEnrolment(trx, context, caller, { method, kept: {}, mfaToken })
    return endEnrolment(trx, context, caller, { id, method, is_verified: 1 }, { mfaToken })
  }
  if (wanted.size === before.length && before.every((id) => wanted.has(id))) return unchanged
  const by = await useVerification(trx, context, caller, mfaToken)
  await requireOlderMethod(trx, context, { ...of, verifiedBy: by })
  await markChanged(trx, { userId: caller.userId, method, nowSeconds: nowSeconds(context.clock) })
  const details = { method, passkeys: wanted.size, verified: by ?? null }
  await auditChange(trx, context, caller, 'mfa.passkeys_changed', details)
  return { type: 'changed', change: 'replaced', method } as const
}
