/** The login method for wallets from other apps, and their linked accounts. */
import {
  type CrossAppProvider,
  type ErrorCode,
  getProviderAppId,
  LatchkeyError,
  type LinkedAccount,
  type OAuthTokens,
} from '@latchkey/protocol'
import { type CrossAppConnection, oauthRoutes } from '@latchkey/protocol/api'
import type { MethodCode, Proof } from '../../contract/login.ts'
import { exitCodes } from '../../flow/flow.ts'
import { startWindowLogin } from '../../window-login/window-login.ts'
import { beginAuth, type CrossAppGrant, finishOf } from './auth.ts'
import { failures, inOurWords } from './failures.ts'
import type { CrossAppParts } from './parts.ts'
import { providerAppOf } from './provider/provider-app.ts'
import { ProviderEntry } from './screens/provider-entry.tsx'
import { authScreen } from './screens.ts'
import { english, texts } from './texts.arb'

export type CrossAppAccount = Extract<LinkedAccount, { type: 'cross_app' }>

export const isAccountOf =
  (provider: CrossAppProvider) =>
  (account: LinkedAccount): account is CrossAppAccount =>
    account.type === 'cross_app' && account.providerAppId === getProviderAppId(provider)

export function crossAppMethod(parts: CrossAppParts, provider: CrossAppProvider): MethodCode {
  const { api, session, tokens, connections, analytics } = parts
  const isItsAccount = isAccountOf(provider)

  return {
    account: {
      type: 'cross_app',
      isMany: true,
      idOf: (account) => (isItsAccount(account) ? account.subject : undefined),
      nameOf: (account) => (isItsAccount(account) ? account.embeddedWallets[0]?.address : undefined),
      providerName: (asker) => nameOf(parts, provider, asker),
      unlink: (subject, asker) => unlink(parts, provider, subject, asker),
    },
    loadEntry: () => connections.of(provider, {}).catch(() => {}),
    async start(progress) {
      const connection = await connections.of(provider, progress.card)
      const isLogin = progress.purpose === 'login'
      return startWindowLogin(parts, progress, {
        method: provider,
        provider: providerAppOf(connection),
        isItsAccount,
        Entry: ProviderEntry,
        texts,
        screen: authScreen,
        failures,
        isBehindCaptcha: true,
        canceled: new LatchkeyError(isLogin ? exitCodes.login : exitCodes.link, english.problems.canceled),
        begin: (pass, signal) => beginAuth(parts, parts.browser(), connection, pass, signal),
        proof: (grant) => proofFor(connection, grant),
        failed: (code) => countFailure(connection, code),
      })
    },
  }

  function proofFor(connection: CrossAppConnection, grant: CrossAppGrant): Proof {
    const counted = async <Answer>(finish: Promise<Answer>): Promise<Answer> => {
      const answer = await finish.catch((error: unknown) => {
        throw inOurWords(error, connection.providerAppName)
      })
      analytics('cross_app_auth_completed', { provider: connection.providerAppId })
      return answer
    }
    const storeTokens = async (userId: string, oauthTokens: OAuthTokens | undefined) => {
      if (oauthTokens) await tokens.keep({ userId, provider }, grant.keys, oauthTokens)
    }
    return {
      logIn: (vault, asker) =>
        counted(
          (async () => {
            const body = { ...(await finishOf(grant, connection, parts.nowMs)), ...(vault && { vault }) }
            const { oauthTokens, ...answer } = await session.logIn(oauthRoutes.loginWithOAuth, body, asker)
            await storeTokens(answer.user.id, oauthTokens)
            return answer
          })(),
        ),
      link: (asker) =>
        counted(
          (async () => {
            const body = await finishOf(grant, connection, parts.nowMs)
            const { oauthTokens, ...user } = await api.call(oauthRoutes.linkOAuth, body, asker)
            await storeTokens(user.id, oauthTokens)
            return user
          })(),
        ),
    }
  }

  function countFailure({ providerAppId }: CrossAppConnection, code: ErrorCode) {
    analytics('cross_app_auth_error', { provider: providerAppId, code })
    if (code === 'pkce_state_code_mismatch')
      analytics('possible_phishing_attempt', { provider: providerAppId })
  }
}

/** Returns the provider name. Falls back to the app id, so that an account can be unlinked in any case. */
export const nameOf = (
  { connections }: Pick<CrossAppParts, 'connections'>,
  provider: CrossAppProvider,
  asker: { signal?: AbortSignal | undefined },
): Promise<string> =>
  connections.of(provider, asker).then(
    ({ providerAppName }) => providerAppName,
    () => getProviderAppId(provider),
  )

/**
 * Unlinks the account and deletes the tokens in this browser. The server revokes them at the provider and ignores its
 * response.
 */
export async function unlink(
  { api, tokens, session }: Pick<CrossAppParts, 'api' | 'tokens' | 'session'>,
  provider: CrossAppProvider,
  subject: string,
  asker: { signal?: AbortSignal | undefined },
) {
  const state = session.state()
  const whose = state.status === 'authenticated' ? { userId: state.user.id, provider } : undefined
  const refreshToken = whose && (await tokens.refreshToken(whose))
  const body = { provider, subject, ...(refreshToken !== undefined && { refreshToken }) }
  const user = await api.call(oauthRoutes.unlinkOAuth, body, asker)
  if (whose) await tokens.forget(whose)
  return user
}
