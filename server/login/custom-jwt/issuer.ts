/** Verifies tokens of an operator's issuer against its JWKS. */
import { product, serverLimits } from '@latchkey/protocol'
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import * as v from 'valibot'
import { askLimits, subjectLimits } from '../../kernel/limits.ts'
import { registryKey } from '../../kernel/registry.ts'
import { fetchThirdParty } from '../../kernel/third-party-fetch.ts'
import type { IssuerRow } from './store.ts'

export type Issuer = Omit<IssuerRow, 'app_id'>
export type TokenAnswer =
  | { type: 'proven'; subject: string }
  /** A rejection, with a reason for the developer of the token issuer. */
  | {
      type: 'refused'
      reason: 'malformed' | 'signature' | 'expired' | 'claim'
      claim?: string
    }

/** Key sets by URL, cached across logins. */
export type KeySets = { at: (jwksUrl: string) => JWTVerifyGetKey }
export const keySets = registryKey<KeySets>('the key sets of operators')

/** Asymmetric algorithms only: with HMAC, the public keys could be used to sign. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Bounds how long a stolen token can start sessions. */
const tokenLimits = { longestSeconds: 86_400 } as const

/** The number of cached key sets. */
const keySetLimits = { kept: 1_000 } as const

type FetchKeys = (url: string, options: { headers: Headers; signal: AbortSignal }) => Promise<Response>

/** Issuers of host apps are trusted by their operator. */
const fetchIssuerKeys: FetchKeys = (url, options) => fetchThirdParty(url, { ...options, party: 'custom_jwt' })

export function createKeySets(fetchKeys = fetchIssuerKeys): KeySets {
  const setsByUrl = new Map<string, JWTVerifyGetKey>()
  return {
    at(jwksUrl) {
      const cachedSet = setsByUrl.get(jwksUrl)
      if (cachedSet) return cachedSet
      const keySet = createRemoteJWKSet(new URL(jwksUrl), {
        timeoutDuration: askLimits.deadlineMs,
        headers: { 'user-agent': product.name },
        [customFetch]: fetchKeys,
      })
      if (setsByUrl.size >= keySetLimits.kept) setsByUrl.clear()
      setsByUrl.set(jwksUrl, keySet)
      return keySet
    },
  }
}

const subjectSchema = v.union([
  v.pipe(v.string(), v.nonEmpty(), v.maxLength(subjectLimits.maxLength), v.regex(/^\P{Cc}*$/u)),
  v.pipe(v.number(), v.safeInteger(), v.transform(String)),
])

/** Verifies a token. Throws if the keys can not be fetched. */
export async function readToken(
  sets: KeySets,
  { jwks_url, issuer, audience, claim }: Issuer,
  token: string,
  nowMs: number,
): Promise<TokenAnswer> {
  try {
    const options: JWTVerifyOptions = {
      algorithms,
      issuer,
      audience,
      requiredClaims: ['exp'],
      clockTolerance: serverLimits.clockSkewSeconds,
      currentDate: new Date(nowMs),
    }
    const payload = await verified(token, sets.at(jwks_url), options)
    const secondsLeft = (payload.exp ?? Number.POSITIVE_INFINITY) - nowMs / 1_000
    if (secondsLeft > tokenLimits.longestSeconds + serverLimits.clockSkewSeconds) {
      return { type: 'refused', reason: 'claim', claim: 'exp' }
    }
    const subject = v.safeParse(subjectSchema, payload[claim])
    return subject.success
      ? { type: 'proven', subject: subject.output }
      : { type: 'refused', reason: 'claim', claim }
  } catch (error) {
    const refused = refusalIn(error)
    if (refused) return refused
    throw error
  }
}

/** A token without a `kid` is verified with each matching key of the set. */
async function verified(
  token: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload
      } catch (tried) {
        if (!(tried instanceof errors.JWSSignatureVerificationFailed)) throw tried
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function refusalIn(error: unknown): Extract<TokenAnswer, { type: 'refused' }> | undefined {
  if (error instanceof errors.JWTExpired) return { type: 'refused', reason: 'expired' }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return { type: 'refused', reason: 'claim', claim: error.claim }
  }
  for (const one of [
    errors.JWSSignatureVerificationFailed,
    errors.JWKSNoMatchingKey,
    errors.JOSEAlgNotAllowed,
  ]) {
    if (error instanceof one) return { type: 'refused', reason: 'signature' }
  }
  for (const one of [errors.JWTInvalid, errors.JWSInvalid, errors.JOSENotSupported]) {
    if (error instanceof one) return { type: 'refused', reason: 'malformed' }
  }
  return undefined
}
