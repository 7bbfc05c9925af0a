/**
 * Access tokens: compact JWS (RFC 7515), ES256 only, created and verified synchronously.
 *
 * This server is the only issuer, so the exact header of a valid token follows from its key id. Any other header is
 * rejected. Hence a token can never choose the algorithm.
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
 * Dialog and wallet tokens name the key that must prove them (RFC 7800): the session key or the device key. Wallet
 * tokens also name their step. Unknown claims are ignored, so that old and new releases accept each other's tokens. A
 * restriction therefore needs a new scope.
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
/** The scope of a token and its scope-specific claims. */
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
const encodeHeader = (kid: string) => base64urlJson({ alg: 'ES256', typ: 'JWT', kid })

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
    ...scopeClaims(kind),
  }
  const signed = `${encodeHeader(key.id)}.${base64urlJson(claims)}`
  return `${signed}.${signEs256(key.privateKey, signed).toString('base64url')}`
}

function scopeClaims(kind: TokenKind) {
  switch (kind.scope) {
    case 'dialog':
      return { cnf: { jkt: kind.keyThumbprint } }
    case 'host':
      return {}
    case 'wallet': {
      const { vaultKey, operation, purpose, walletId, confirmed } = kind.step
      const { language } = kind
      // Omitted for English, so that an older release without this claim accepts the token during an upgrade.
      const lang = language === 'en' ? {} : { lang: language }
      const cnf = { jkt: kind.keyThumbprint }
      return { vpk: vaultKey, op: operation, purpose, wallet: walletId, confirmed, cnf, ...lang }
    }
    default:
      return kind satisfies never
  }
}

const TOKEN_PATTERN = /^([A-Za-z0-9_-]{1,512})\.([A-Za-z0-9_-]{1,2048})\.([A-Za-z0-9_-]{86})$/

/** Returns the key id of a well-formed token, without verifying it. */
export function parseKeyId(token: string): string | undefined {
  const [, header] = TOKEN_PATTERN.exec(token) ?? []
  const parsed = header === undefined ? undefined : v.safeParse(headerSchema, parseJson(header))
  return parsed?.success && encodeHeader(parsed.output.kid) === header ? parsed.output.kid : undefined
}

/** Verifies signature, issuer and expiry. Returns the claims, or undefined. */
export function verifyToken(
  token: string,
  key: KeyObject,
  issuer: string,
  nowSeconds: number,
): TokenClaims | undefined {
  const [, header, payload, signature] = TOKEN_PATTERN.exec(token) ?? []
  if (header === undefined || payload === undefined || signature === undefined) return undefined
  if (!verifyEs256(key, `${header}.${payload}`, Buffer.from(signature, 'base64url'))) return undefined
  const claims = v.safeParse(claimsSchema, parseJson(payload))
  if (!claims.success || claims.output.iss !== issuer) return undefined
  const { iat, exp } = claims.output
  if (exp <= nowSeconds || iat > nowSeconds + serverLimits.clockSkewSeconds) return undefined
  return claims.output
}

function parseJson(segment: string): unknown {
  try {
    return JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
