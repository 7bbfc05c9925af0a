import * as v from 'valibot'
import { crossAppProvider } from '../../entities/cross-app.ts'
import { socialProviders } from '../../entities/linked-account.ts'
import { text, thumbprint } from '../../entities/primitives.ts'
import { oauthTokensSchema } from '../../entities/session.ts'
import { userRecordSchema } from '../../entities/user.ts'
import type { Routes } from '../../rows/route.ts'
import { challenge, oneUse, relay, relayKey } from '../../windows/relay.ts'
import { passedOnProof } from '../cross-app/api.ts'
import { authAnswerSchema, vaultOfLogin } from '../sessions.ts'

const provider = v.union([v.picklist(socialProviders), crossAppProvider])

const finish = {
  authorizationCode: v.pipe(text, v.nonEmpty()),
  stateCode: oneUse,
  codeVerifier: oneUse,
  /** Whether the provider's own tokens are wanted: else, and where the app hands out none, they are thrown away where they come in. */
  withTokens: v.exactOptional(v.boolean()),
  /** Of a wallet of another app: which, and the dialog's proof for the token endpoint, to whose key the tokens are bound. */
  provider: v.exactOptional(crossAppProvider),
  proof: v.exactOptional(passedOnProof),
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
      provider,
      redirectTo: text,
      token: v.exactOptional(text),
      codeChallenge: challenge,
      stateCode: oneUse,
      relay: v.exactOptional(relay),
      /** Of a wallet of another app: the key that the tokens of its provider are to be bound to. */
      proofKey: v.exactOptional(thumbprint),
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
    body: v.object({
      provider,
      subject: v.pipe(text, v.nonEmpty()),
      /** Of a wallet of another app: the tokens that its provider is told to end. */
      refreshToken: v.exactOptional(text),
    }),
    output: userRecordSchema,
  },
} as const satisfies Routes
