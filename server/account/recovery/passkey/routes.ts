import { recoveryPasskeyRoutes } from '@latchkey/protocol/api'
import { requireLivingSession } from '../../../identity/sessions/sessions.ts'
import { type Endpoint, replayedEndpoint } from '../../../kernel/http/endpoint.ts'
import {
  askedByWallet,
  challengeOfRecovery,
  checkAttestation,
  type LinkAttempt,
  newChallenge,
  passkeyRefusal,
  reserveLink,
} from '../../../login/passkey/passkey.ts'
import { assertMethodAllowed, notifyOfRecovery } from '../../../wallet/wallets/wallets.ts'
import {
  checkPasskey,
  countNewPasskey,
  countPasskeyAttempt,
  decidePasskeyAttempt,
  type PasskeyAttempt,
  registerPasskey,
  renderNewPasskeyOptions,
  renderPasskeyChallenge,
  renderPasskeyRecovery,
  requirePasskeyWallet,
} from './passkey.ts'

export const recoveryPasskeyEndpoints: readonly Endpoint[] = [
  replayedEndpoint(recoveryPasskeyRoutes.beginRecoveryPasskey, {
    decide: async (trx, { app, caller }, context) => {
      assertMethodAllowed(app, 'passkey', false)
      await requireLivingSession(trx, context, caller.sessionId)
      return newChallenge(trx, context, challengeOfRecovery('keep', { app, caller }))
    },
    render: ({ challenge }, { app, caller }, context) =>
      renderNewPasskeyOptions(context, app, caller, challenge),
  }),

  replayedEndpoint(recoveryPasskeyRoutes.registerRecoveryPasskey, {
    reserve: async (trx, { app, caller, body }, context, previous: LinkAttempt | undefined) => {
      if (previous) return previous
      assertMethodAllowed(app, 'passkey', false)
      await countNewPasskey(trx, context, caller)
      const target = challengeOfRecovery('keep', { app, caller })
      return reserveLink(trx, context, target, body.authenticatorResponse)
    },
    // Calls no third party, but signature checks are asynchronous, so they run outside a transaction.
    ask: {
      repeatable: true,
      run: (attempt, { app, body }, context) =>
        checkAttestation(context, app, attempt, body.authenticatorResponse, askedByWallet(context)),
    },
    decide: async (trx, { caller, body }, context, { reserved: { challenge }, answer }) =>
      answer.type === 'wrong'
        ? answer
        : registerPasskey(trx, context, caller, challenge, answer, body.authenticatorResponse),
    render: (outcome) => {
      if ('credentialId' in outcome) return outcome
      throw passkeyRefusal(outcome.reason)
    },
  }),

  replayedEndpoint(recoveryPasskeyRoutes.askRecoveryPasskey, {
    decide: async (trx, { app, caller }, context) => {
      await requireLivingSession(trx, context, caller.sessionId)
      await requirePasskeyWallet(trx, caller)
      return newChallenge(trx, context, challengeOfRecovery('recover', { app, caller }))
    },
    render: ({ challenge }, { caller }, context) => renderPasskeyChallenge(context, caller, challenge),
  }),

  replayedEndpoint(recoveryPasskeyRoutes.releaseByPasskey, {
    reserve: async (trx, { app, caller, body }, context, previous: PasskeyAttempt | undefined) =>
      previous ?? countPasskeyAttempt(trx, context, app, caller, body),
    ask: {
      repeatable: true,
      run: (attempt, { body }, context) => checkPasskey(context, attempt, body.authenticatorResponse),
    },
    decide: (trx, { app, caller, body }, context, { reserved, answer }) =>
      decidePasskeyAttempt(trx, context, app, caller, reserved, answer, body.mfaToken),
    perform: async ({ type }, call, context) => {
      if (type === 'right') await notifyOfRecovery(call, context)
    },
    render: (outcome, { caller }, context) => renderPasskeyRecovery(outcome, context, caller),
  }),
]
