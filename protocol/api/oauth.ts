import * as v from 'valibot'
import { socialProviders } from '../entities/linked-account.ts'
import { text } from '../entities/primitives.ts'
import { oauthTokensSchema } from '../entities/session.ts'
import { userRecordSchema } from '../entities/user.ts'
import { challenge, oneUse, relay, relayKey } from './relay.ts'
import type { Routes } from './route.ts'
import { authAnswerSchema, vaultOfLogin } from './sessions.ts'

const socialProvider = v.picklist(socialProviders)

const finish = {
  authorizationCode: v.pipe(text, v.nonEmpty()),
  stateCode: oneUse,
  codeVerifier: oneUse,
  /** Whether the provider's own tokens are wanted: else, and where the app hands out none, they are thrown away where they come in. */
  withTokens: v.exactOptional(v.boolean()),
}

/** What a provider may say instead of a code. */
export const oauthFailures = ['oauth_user_denied', 'oauth_account_suspended', 'oauth_unexpected'] as const

export const oauthResultSchema = v.variant('status', [
  v.object({ status: v.literal('pending') }),
  v.object({ status: v.literal('completed'), authorizationCode: text, stateCode: text }),
  v.object({ status: v.literal('failed'), error: v.picklist(oauthFailures) }),
])
export type OAuthResult = v.InferOutput<typeof oauthResultSchema>

export const oauthRoutes = {
  startOAuth: {
    method: 'POST',
    path: '/oauth/init',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({
      provider: socialProvider,
      redirectTo: text,
      token: v.exactOptional(text),
      codeChallenge: challenge,
      stateCode: oneUse,
      relay: v.exactOptional(relay),
    }),
    output: v.object({ url: text }),
  },
  oauthResult: {
    method: 'POST',
    path: '/oauth/result',
    auth: 'none',
    forks: true,
    effect: 'reads',
    appHeader: true,
    body: relayKey,
    output: oauthResultSchema,
  },
  loginWithOAuth: {
    method: 'POST',
    path: '/oauth/authenticate',
    auth: 'none',
    forks: true,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ ...finish, vault: vaultOfLogin }),
    output: authAnswerSchema,
  },
  linkOAuth: {
    method: 'POST',
    path: '/oauth/link',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object(finish),
    output: v.object({ ...userRecordSchema.entries, oauthTokens: v.exactOptional(oauthTokensSchema) }),
  },
  unlinkOAuth: {
    method: 'POST',
    path: '/oauth/unlink',
    auth: 'dialog',
    forks: false,
    effect: 'changes, replayed',
    appHeader: true,
    body: v.object({ provider: socialProvider, subject: v.pipe(text, v.nonEmpty()) }),
    output: userRecordSchema,
  },
} as const satisfies Routes
