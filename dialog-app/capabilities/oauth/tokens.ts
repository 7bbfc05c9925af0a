/**
 * What a provider hands out for its user beside the proof of who they are. It is a secret of somebody else's: the host
 * gets it where the app allows that and the host asked, as soon as the user is somebody to the host.
 */
import type { OAuthTokens, UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { Purpose } from '../../contract/login.ts'
import { hostUser } from '../../host/host-user.ts'
import { mustAcceptTerms, type Settings } from '../../host/settings.ts'
import type { SessionState } from '../../session/session.ts'

/** A host that has the user go to the provider again asks by that. */
export const wantsTokens = ({ app, config }: Settings, purpose: Purpose) =>
  app.oauthTokensToHost && (purpose === 'reauthorize' || config.loginConfig?.oauthTokens === true)

export function handTokensOut(
  { session, settings, tellPage }: Pick<CapabilityPorts, 'session' | 'settings' | 'tellPage'>,
  tokens: OAuthTokens,
  user: UserRecord,
): void {
  const tell = (given: OAuthTokens, present: UserRecord) =>
    tellPage({ name: 'oauthTokens', data: { tokens: given, user: hostUser(present) } })
  if (!mustAcceptTerms(settings(), user)) {
    tell(tokens, user)
    return
  }
  holdUntil(
    session,
    (state) => {
      const isSame = state.status === 'authenticated' && state.user.id === user.id
      if (isSame && mustAcceptTerms(settings(), state.user)) return 'later'
      return isSame ? (given) => tell(given, state.user) : 'never'
    },
    tokens,
  )
}

/** Whoever listens to the session listens for the life of the page: what is held for them goes as soon as it was used. */
function holdUntil<Held>(
  session: Pick<CapabilityPorts['session'], 'subscribe'>,
  decide: (state: SessionState) => 'later' | 'never' | ((held: Held) => void),
  value: Held,
): void {
  const held = new Set([value])
  session.subscribe((state) => {
    if (held.size === 0) return
    const decided = decide(state)
    if (decided === 'later') return
    if (decided !== 'never') for (const each of held) decided(each)
    held.clear()
  })
}
