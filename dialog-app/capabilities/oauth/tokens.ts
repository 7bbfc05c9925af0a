/**
 * Passes the provider's OAuth tokens to the host page. The app must allow this, and the host must request it. Users
 * must accept the terms first, because the host receives no user before that.
 */
import type { OAuthTokens, UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { Purpose } from '../../contract/login.ts'
import { hostUser } from '../../host/host-user.ts'
import { mustAcceptTerms, type Settings } from '../../host/settings.ts'
import type { SessionState } from '../../session/session.ts'

/** Returns whether to request tokens. Calling `reauthorize` is itself a request for them. */
export const wantsTokens = ({ app, config }: Settings, purpose: Purpose) =>
  app.oauthTokensToHost && (purpose === 'reauthorize' || config.loginConfig?.oauthTokens === true)

export function handTokensOut(
  { session, settings, tellPage }: Pick<CapabilityPorts, 'session' | 'settings' | 'tellPage'>,
  tokens: OAuthTokens,
  user: UserRecord,
): void {
  const sendTokens = (given: OAuthTokens, present: UserRecord) =>
    tellPage({ name: 'oauthTokens', data: { tokens: given, user: hostUser(present) } })
  if (!mustAcceptTerms(settings(), user)) {
    sendTokens(tokens, user)
    return
  }
  holdUntil(
    session,
    (state) => {
      const isSame = state.status === 'authenticated' && state.user.id === user.id
      if (isSame && mustAcceptTerms(settings(), state.user)) return 'later'
      return isSame ? (given) => sendTokens(given, state.user) : 'never'
    },
    tokens,
  )
}

/** Keeps a value until `decide` settles. The listener lasts as long as the page, so the value is dropped after use. */
function holdUntil<Held>(
  session: Pick<CapabilityPorts['session'], 'subscribe'>,
  decide: (state: SessionState) => 'later' | 'never' | ((held: Held) => void),
  value: Held,
): void {
  const pendingValues = new Set([value])
  session.subscribe((state) => {
    if (pendingValues.size === 0) return
    const decided = decide(state)
    if (decided === 'later') return
    if (decided !== 'never') for (const each of pendingValues) decided(each)
    pendingValues.clear()
  })
}
