/**
 * Verifies second factors. The user's answer goes to the server, and the verification token is held until a
 * call of its operation consumes it. The server owns the rules; secrets are passed on and never stored.
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
  /** Verification tokens by operation. */
  const tokens = new Map<string, string>()

  const verifications: { [Method in MfaMethodType]: Verify } = {
    totp: (call, { mfaCode }) =>
      api(mfaRoutes.verifyTotp, call, parse(mfaRoutes.verifyTotp, { code: mfaCode })),
    sms: (call, { mfaCode }) => api(mfaRoutes.verifySms, call, parse(mfaRoutes.verifySms, { code: mfaCode })),
    passkey: (call, { mfaCode, relyingParty }) => {
      const answer = { authenticatorResponse: mfaCode, ...(relyingParty !== undefined && { relyingParty }) }
      return api(mfaRoutes.verifyPasskey, call, parse(mfaRoutes.verifyPasskey, answer))
    },
  }

  async function verify(call: FactorCall, factorAnswer: FactorAnswer): Promise<void> {
    if (factorAnswer.mfaMethod === undefined) {
      throw new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')
    }
    const { token } = await verifications[factorAnswer.mfaMethod](call, factorAnswer)
    tokens.set(call.operation.id, token)
  }

  /**
   * Calls `ask` with the verification token of the operation, if there is one. The token is reused if the
   * call fails otherwise, so a wrong enrolment code costs no verification.
   */
  async function use<Answer>(
    call: FactorCall,
    factorAnswer: FactorAnswer,
    ask: (factor: Factor) => Promise<Answer>,
  ): Promise<Answer> {
    if (factorAnswer.mfaMethod !== undefined) await verify(call, factorAnswer)
    const { id } = call.operation
    const mfaToken = tokens.get(id)
    try {
      const answer = await ask(mfaToken === undefined ? {} : { mfaToken })
      tokens.delete(id)
      return answer
    } catch (error) {
      if (!(error instanceof LatchkeyError)) throw error
      if (error.code === 'too_many_requests' && factorAnswer.mfaMethod !== undefined)
        throw markVerified(error)
      if (error.code !== 'expired_or_invalid_mfa_token') throw error
      tokens.delete(id)
      // The caller must ask the user again, as if no second factor had been given.
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
      tokens.delete(operationId)
    },
    clear: () => tokens.clear(),
  }
}

/** Marks a rate limit as one of the verified call, so that the dialog does not ask for another answer. */
const markVerified = ({ code, message, retryAfterSeconds }: LatchkeyError) =>
  new LatchkeyError(code, message, { retryAfterSeconds, details: { verified: true } })

type Verify = (call: FactorCall, given: FactorAnswer) => Promise<RouteOutput<typeof mfaRoutes.verifyTotp>>

/** Parses the answer of a factor: text for a code, an object for an authenticator. */
function parse<const Schema extends v.GenericSchema>(
  { body }: { body: Schema },
  answer: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(body, answer)
  if (parsed.success) return parsed.output
  throw new LatchkeyError('invalid_request_arguments', 'The answer does not fit this method', {
    details: { path: 'mfaCode' },
  })
}
