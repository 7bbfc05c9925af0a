/**
 * Second factors: what a user gives goes to the server, and what it is worth is kept for the operation that it was
 * given for, until a call of that operation used it. The server holds the rules; secrets pass through and stay nowhere.
 */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import { mfaRoutes, type RouteOutput } from '@latchkey/protocol/api'
import type { FrameMessages } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { Factor, FactorAnswer, FactorCall, StepCall, WalletPorts } from '../shares/ports.ts'

type Data<Name extends keyof FrameMessages['calls']> = v.InferOutput<FrameMessages['calls'][Name]>
type Changed = RouteOutput<typeof mfaRoutes.enrollTotp>
type CodeMethod = Exclude<MfaMethodType, 'passkey'>

export type Mfa = ReturnType<typeof createMfa>

export function createMfa({ api }: Pick<WalletPorts, 'api'>) {
  /** Verifications, by the operation that each is for. */
  const held = new Map<string, string>()

  const verifications: { [Method in MfaMethodType]: Verify } = {
    totp: (call, { mfaCode }) =>
      api(mfaRoutes.verifyTotp, call, parse(mfaRoutes.verifyTotp, { code: mfaCode })),
    sms: (call, { mfaCode }) => api(mfaRoutes.verifySms, call, parse(mfaRoutes.verifySms, { code: mfaCode })),
    passkey: (call, { mfaCode, relyingParty }) => {
      const answer = { authenticatorResponse: mfaCode, ...(relyingParty !== undefined && { relyingParty }) }
      return api(mfaRoutes.verifyPasskey, call, parse(mfaRoutes.verifyPasskey, answer))
    },
  }

  async function verify(call: FactorCall, given: FactorAnswer): Promise<void> {
    if (given.mfaMethod === undefined) {
      throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
    }
    const { token } = await verifications[given.mfaMethod](call, given)
    held.set(call.operation.id, token)
  }

  /** What the server did not use up is there for the next try: a wrong code of an enrolment costs no verification. */
  async function use<Answer>(
    call: FactorCall,
    given: FactorAnswer,
    ask: (factor: Factor) => Promise<Answer>,
  ): Promise<Answer> {
    if (given.mfaMethod !== undefined) await verify(call, given)
    const { id } = call.operation
    const mfaToken = held.get(id)
    try {
      const answer = await ask(mfaToken === undefined ? {} : { mfaToken })
      held.delete(id)
      return answer
    } catch (error) {
      if (!(error instanceof LatchkeyError)) throw error
      if (error.code === 'too_many_requests' && given.mfaMethod !== undefined) throw ofVerified(error)
      if (error.code !== 'expired_or_invalid_mfa_token') throw error
      held.delete(id)
      // To whoever asks the user, it is as if there had been none.
      throw new LatchkeyError('missing_or_invalid_mfa', error.message, { cause: error })
    }
  }

  const unenrolments = { totp: mfaRoutes.unenrollTotp, sms: mfaRoutes.unenrollSms }

  return {
    verify,
    use,
    async initEnrollment(call: StepCall, data: Data<'mfa:init-enrollment'>) {
      switch (data.method) {
        case 'totp': {
          const { totpSecret, totpAuthUrl } = await call.withFactor((factor) =>
            api(mfaRoutes.beginTotp, call, factor),
          )
          return { method: data.method, secret: totpSecret, authUrl: totpAuthUrl }
        }
        case 'sms': {
          const { method, phoneNumber } = data
          await call.withFactor((factor) =>
            api(mfaRoutes.sendMfaCode, call, { action: 'enroll', phoneNumber, ...factor }),
          )
          return { method }
        }
        default:
          return data satisfies never
      }
    },
    submitEnrollment: (call: StepCall, data: Data<'mfa:submit-enrollment'>): Promise<Changed> =>
      call.withFactor((factor) => {
        switch (data.method) {
          case 'totp':
            return api(mfaRoutes.enrollTotp, call, { code: data.code, ...factor })
          case 'sms': {
            const { code, phoneNumber } = data
            return api(mfaRoutes.enrollSms, call, { code, phoneNumber, ...factor })
          }
          case 'passkey':
            return api(mfaRoutes.enrollPasskeys, call, { credentialIds: data.credentialIds, ...factor })
          default:
            return data satisfies never
        }
      }),
    unenroll: (call: StepCall, method: CodeMethod): Promise<Changed> =>
      call.withFactor((factor) => api(unenrolments[method], call, factor)),
    forget: (operationId: string) => {
      held.delete(operationId)
    },
    clear: () => held.clear(),
  }
}

/** What was verified is what was asked for too often: another answer of its user would not help. */
const ofVerified = ({ code, message, retryAfterSeconds }: LatchkeyError) =>
  new LatchkeyError(code, message, { retryAfterSeconds, details: { verified: true } })

type Verify = (call: FactorCall, given: FactorAnswer) => Promise<RouteOutput<typeof mfaRoutes.verifyTotp>>

/** A code is a text, and what an authenticator answered is none. */
function parse<const Schema extends v.GenericSchema>(
  { body }: { body: Schema },
  given: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(body, given)
  if (parsed.success) return parsed.output
  throw new LatchkeyError('invalid_request_arguments', 'This is no answer of this method', {
    details: { path: 'mfaCode' },
  })
}
