/**
 * Access tokens: compact JWS (RFC 7515), ES256 only, created and verified synchronously.
 *
 * This server is the only issuer, so the exact header of a valid token follows from its scope and key id. Any other
 * header is rejected. Hence a token can never choose the algorithm.
 *
 * Each scope has its own type and audience, so that a standard JWT check accepts host tokens only. Host tokens follow
 * RFC 9068 and are for the app. Dialog and wallet tokens are for this server.
 */
import type { KeyObject } from 'node:crypto'
import {
  accessTokenClaimsSchema,
  serverLimits,
  type TokenScope,
  thumbprint,
  tokenTypes,
  walletLimits,
} from '@latchkey/protocol'
import { hookClaimsName } from '@latchkey/protocol/admin'
import { operationStepSchema, sealingKey, signedDigest, walletPurposeSchema } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { WalletStep } from '../../../kernel/context.ts'
import { randomId } from '../../../kernel/ids.ts'
import {
  type SigningKey,
  signEs256,
  signsTypedTokens,
  toTypedClaims,
  toUntypedClaims,
  untypedTokenType,
  verifyEs256,
} from '../../../kernel/keys/keys.ts'
import { isLanguage, type Language } from '../../../kernel/languages.ts'

/** `client_id` names the app in tokens of every scope (RFC 9068). */
const identity = { ...accessTokenClaimsSchema.entries, client_id: v.string() }
/**
 * Dialog and wallet tokens name the key that must prove them (RFC 7800): the session key or the device key. Wallet
 * tokens also name their step. Unknown claims are ignored, so that old and new releases accept each other's tokens. A
 * restriction therefore needs a new scope with its own type.
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
/** Claims that come from the app. They authorize nothing on this server. */
export type HostTokenAdditions = {
  metadata?: Readonly<Record<string, unknown>> | undefined
  /** The answer of the hook `token.claims`. */
  claims?: Readonly<Record<string, unknown>> | undefined
}
/** The scope of a token and its scope-specific claims. */
export type TokenKind =
  | { scope: 'dialog'; keyThumbprint: string }
  | ({ scope: 'host' } & HostTokenAdditions)
  | {
      scope: 'wallet'
      step: WalletStep
      keyThumbprint: string
      language: Language
    }

const headerSchema = v.strictObject({
  alg: v.literal('ES256'),
  typ: v.picklist([...Object.values(tokenTypes), untypedTokenType]),
  kid: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/)),
})
type TokenHeader = Omit<v.InferOutput<typeof headerSchema>, 'alg'>
const base64urlJson = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const encodeHeader = ({ typ, kid }: TokenHeader) => base64urlJson({ alg: 'ES256', typ, kid })

const getAudience = (scope: TokenScope, { appId, issuer }: { appId: string; issuer: string }) =>
  scope === 'host' ? appId : issuer

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
  const { appId } = subject
  const claims = {
    iss: issuer,
    aud: getAudience(kind.scope, { appId, issuer }),
    client_id: appId,
    sub: subject.userId,
    sid: subject.sessionId,
    scope: kind.scope,
    iat: nowSeconds,
    exp: nowSeconds + lifetimeSeconds[kind.scope],
    ...scopeClaims(kind),
  }
  const signed = signsTypedTokens(key.id)
    ? `${encodeHeader({ typ: tokenTypes[kind.scope], kid: key.id })}.${base64urlJson(claims)}`
    : `${encodeHeader({ typ: untypedTokenType, kid: key.id })}.${base64urlJson(toUntypedClaims(claims))}`
  return `${signed}.${signEs256(key.privateKey, signed).toString('base64url')}`
}

function scopeClaims(kind: TokenKind) {
  switch (kind.scope) {
    case 'dialog':
      return { cnf: { jkt: kind.keyThumbprint } }
    case 'host':
      // RFC 9068 requires it.
      return {
        jti: randomId(),
        ...(kind.metadata && { metadata: kind.metadata }),
        // Under one name, so that the hook overrides no claim of this server.
        ...(kind.claims && { [hookClaimsName]: kind.claims }),
      }
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

const TOKEN_PATTERN = /^([A-Za-z0-9_-]{1,512})\.([A-Za-z0-9_-]{1,3600})\.([A-Za-z0-9_-]{86})$/

/** Returns the key id of a well-formed token, without verifying it. */
export function parseKeyId(token: string): string | undefined {
  const [, header] = TOKEN_PATTERN.exec(token) ?? []
  return header === undefined ? undefined : parseHeader(header)?.kid
}

function parseHeader(segment: string): TokenHeader | undefined {
  const { success, output } = v.safeParse(headerSchema, parseJson(segment))
  if (!success || encodeHeader(output) !== segment) return undefined
  const isTyped = output.typ !== untypedTokenType
  return isTyped === signsTypedTokens(output.kid) ? output : undefined
}

/** Verifies signature, type, issuer, audience and expiry. Returns the claims, or undefined. */
export function verifyToken(
  token: string,
  key: KeyObject,
  issuer: string,
  nowSeconds: number,
): TokenClaims | undefined {
  const [, header = '', payload = '', signature = ''] = TOKEN_PATTERN.exec(token) ?? []
  const typ = parseHeader(header)?.typ
  if (typ === undefined) return undefined
  if (!verifyEs256(key, `${header}.${payload}`, Buffer.from(signature, 'base64url'))) return undefined
  const parsed = parseJson(payload)
  const claims = v.safeParse(claimsSchema, typ === untypedTokenType ? toTypedClaims(parsed, issuer) : parsed)
  if (!claims.success || claims.output.iss !== issuer) return undefined
  const { scope, aud, client_id: appId, iat, exp } = claims.output
  if (typ !== untypedTokenType && typ !== tokenTypes[scope]) return undefined
  if (aud !== getAudience(scope, { appId, issuer })) return undefined
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
