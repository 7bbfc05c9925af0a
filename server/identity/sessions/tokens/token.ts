/**
 * Access tokens: compact JWS (RFC 7515), ES256 and nothing else, made and checked without waiting.
 *
 * We are the only issuer, so the header of a valid token is known to the letter once its key id is: a token
 * whose header says anything more, or anything else, is not ours. Hence no algorithm is ever chosen by a token.
 */
import type { KeyObject } from 'node:crypto'
import {
  accessTokenClaimsSchema,
  serverLimits,
  type TokenScope,
  thumbprint,
  walletLimits,
} from '@latchkey/protocol'
import { operationStepSchema, sealingKey, signedDigest, walletPurposeSchema } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { WalletStep } from '../../../kernel/context.ts'
import { type SigningKey, signEs256, verifyEs256 } from '../../../kernel/keys/keys.ts'
import { isLanguage, type Language } from '../../../kernel/languages.ts'

const identity = accessTokenClaimsSchema.entries
/**
 * Both name the key whose proofs they need (RFC 7800), the dialog's or the device's; a wallet token its step too. A claim
 * that a newer release adds is passed over, so that both take each other's tokens: what narrows a token is a new scope.
 */
const claimsSchema = v.variant('scope', [
  v.object({ ...identity, scope: v.literal('dialog'), cnf: v.object({ jkt: thumbprint }) }),
  v.object({ ...identity, scope: v.literal('host') }),
  v.object({
    ...identity,
    scope: v.literal('wallet'),
    cnf: v.object({ jkt: thumbprint }),
    vpk: sealingKey,
    op: operationStepSchema,
    purpose: walletPurposeSchema,
    wallet: v.nullable(v.string()),
    confirmed: v.nullable(v.object({ confirmation: v.string(), digest: signedDigest })),
    lang: v.exactOptional(v.pipe(v.string(), v.check(isLanguage))),
  }),
])
export type TokenClaims = v.InferOutput<typeof claimsSchema>

export type TokenSubject = {
  appId: string
  userId: string
  sessionId: string
}
/** What a token is, beyond whom it names. */
export type TokenKind =
  | { scope: 'dialog'; keyThumbprint: string }
  | { scope: 'host' }
  | {
      scope: 'wallet'
      step: WalletStep
      keyThumbprint: string
      language: Language
    }

const headerSchema = v.strictObject({
  alg: v.literal('ES256'),
  typ: v.literal('JWT'),
  kid: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/)),
})
const base64urlJson = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const headerOf = (kid: string) => base64urlJson({ alg: 'ES256', typ: 'JWT', kid })

const lifetimeSeconds = {
  dialog: serverLimits.accessTokenSeconds,
  host: serverLimits.accessTokenSeconds,
  wallet: walletLimits.walletTokenSeconds,
} as const satisfies Record<TokenScope, number>

export function mintToken(
  key: SigningKey,
  issuer: string,
  subject: TokenSubject,
  kind: TokenKind,
  nowSeconds: number,
): string {
  const claims = {
    iss: issuer,
    aud: subject.appId,
    sub: subject.userId,
    sid: subject.sessionId,
    scope: kind.scope,
    iat: nowSeconds,
    exp: nowSeconds + lifetimeSeconds[kind.scope],
    ...ownClaims(kind),
  }
  const signed = `${headerOf(key.id)}.${base64urlJson(claims)}`
  return `${signed}.${signEs256(key.privateKey, signed).toString('base64url')}`
}

function ownClaims(kind: TokenKind) {
  switch (kind.scope) {
    case 'dialog':
      return { cnf: { jkt: kind.keyThumbprint } }
    case 'host':
      return {}
    case 'wallet': {
      const { vaultKey, operation, purpose, walletId, confirmed } = kind.step
      const { language } = kind
      // Left out for English, so that a release before this claim takes what this one mints, while both run.
      const lang = language === 'en' ? {} : { lang: language }
      const cnf = { jkt: kind.keyThumbprint }
      return { vpk: vaultKey, op: operation, purpose, wallet: walletId, confirmed, cnf, ...lang }
    }
    default:
      return kind satisfies never
  }
}

const TOKEN_PATTERN = /^([A-Za-z0-9_-]{1,512})\.([A-Za-z0-9_-]{1,2048})\.([A-Za-z0-9_-]{86})$/

/** The key that a token names, or undefined for what can not be a token of ours. Proves nothing yet. */
export function keyIdOf(token: string): string | undefined {
  const [, header] = TOKEN_PATTERN.exec(token) ?? []
  const parsed = header === undefined ? undefined : v.safeParse(headerSchema, jsonOf(header))
  return parsed?.success && headerOf(parsed.output.kid) === header ? parsed.output.kid : undefined
}

/** The claims of a token that this key signed, for this issuer, and that has not expired. */
export function verifyToken(
  token: string,
  key: KeyObject,
  issuer: string,
  nowSeconds: number,
): TokenClaims | undefined {
  const [, header, payload, signature] = TOKEN_PATTERN.exec(token) ?? []
  if (header === undefined || payload === undefined || signature === undefined) return undefined
  if (!verifyEs256(key, `${header}.${payload}`, Buffer.from(signature, 'base64url'))) return undefined
  const claims = v.safeParse(claimsSchema, jsonOf(payload))
  if (!claims.success || claims.output.iss !== issuer) return undefined
  const { iat, exp } = claims.output
  if (exp <= nowSeconds || iat > nowSeconds + serverLimits.clockSkewSeconds) return undefined
  return claims.output
}

function jsonOf(segment: string): unknown {
  try {
    return JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
