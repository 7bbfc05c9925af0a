/** The server's verification routes for tests: one right answer per method, and tokens for one operation. */
import type { MfaMethodType, UserRecord } from '@latchkey/protocol'
import { mfaRoutes, type Route } from '@latchkey/protocol/api'
import type { WalletTokenClaims } from './wallet-token.ts'

export const rightCode = '123456'
export const totp = {
  totpSecret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  totpAuthUrl: 'otpauth://totp/Fieldnotes:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Fieldnotes',
} as const

type Answer = { status: number; body: unknown }
type Body = {
  code?: string
  mfaToken?: string
  credentialIds?: readonly string[]
  authenticatorResponse?: unknown
}
const failure = (status: number, code: string, details?: unknown): Answer => ({
  status,
  body: { error: 'Refused', code, ...(details !== undefined && { details }) },
})

export function mfaServer() {
  const enrolled = new Set<MfaMethodType>()
  const tokens = new Map<string, string>()
  let given = 0

  const boundTo = ({ sub, operation, purpose }: WalletTokenClaims) => [sub, operation.id, purpose].join(' ')

  /** Consumes the verification. Returns undefined if the call may continue. */
  function use(claims: WalletTokenClaims, token: string | undefined): Answer | undefined {
    if (enrolled.size === 0) return undefined
    if (token === undefined) return failure(401, 'missing_or_invalid_mfa', { methods: [...enrolled] })
    if (tokens.get(token) !== boundTo(claims)) return failure(401, 'expired_or_invalid_mfa_token')
    tokens.delete(token)
    return undefined
  }

  function verify(claims: WalletTokenClaims, isRight: boolean): Answer {
    if (!isRight) return failure(401, 'missing_or_invalid_mfa')
    const token = `verification_${++given}`
    tokens.set(token, boundTo(claims))
    return { status: 200, body: { token } }
  }

  const user = ({ sub }: WalletTokenClaims): UserRecord => ({
    id: sub,
    createdAt: 1,
    linkedAccounts: [],
    mfaMethods: [...enrolled].map((type) => ({ type, verifiedAt: 1 })),
    hasAcceptedTerms: true,
  })
  function change(claims: WalletTokenClaims, token: string | undefined, apply: () => void): Answer {
    const refused = use(claims, token)
    if (refused) return refused
    apply()
    return { status: 200, body: { user: user(claims) } }
  }

  function answer(route: Route, claims: WalletTokenClaims, sent: unknown): Answer | undefined {
    const { code, mfaToken, credentialIds = [], authenticatorResponse } = sent as Body
    const enroll = (method: MfaMethodType) =>
      code === rightCode
        ? change(claims, mfaToken, () => enrolled.add(method))
        : failure(422, 'invalid_credentials')
    switch (route.path) {
      case mfaRoutes.verifyTotp.path:
      case mfaRoutes.verifySms.path:
        return verify(claims, code === rightCode)
      case mfaRoutes.verifyPasskey.path:
        return verify(claims, authenticatorResponse !== undefined)
      case mfaRoutes.beginTotp.path:
        return use(claims, mfaToken) ?? { status: 200, body: totp }
      case mfaRoutes.sendMfaCode.path:
        return use(claims, mfaToken) ?? { status: 200, body: { success: true, sentTo: '*0123' } }
      case mfaRoutes.enrollTotp.path:
        return enroll('totp')
      case mfaRoutes.enrollSms.path:
        return enroll('sms')
      case mfaRoutes.unenrollTotp.path:
        return change(claims, mfaToken, () => enrolled.delete('totp'))
      case mfaRoutes.unenrollSms.path:
        return change(claims, mfaToken, () => enrolled.delete('sms'))
      case mfaRoutes.enrollPasskeys.path:
        return change(claims, mfaToken, () =>
          credentialIds.length === 0 ? enrolled.delete('passkey') : enrolled.add('passkey'),
        )
      default:
        return undefined
    }
  }

  return {
    answer,
    use,
    enrolled,
    /** Expires every verification, like two minutes would. */
    expire: () => tokens.clear(),
  }
}
