/**
 * What a provider hands out for its user beside the proof of who they are. It is a secret of somebody else's: the host
 * gets it where the app allows that and the host asked, as soon as the user is somebody to the host.
 */
import type { OAuthTokens, UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { Purpose } from '../../core/login.ts'
import { type Settings, termsAreDue } from '../../core/settings.ts'
import { hostUser } from '../../host/host-user.ts'

/** A host that has the user go to the provider again asks by that. */
export const wantsTokens = ({ app, config }: Settings, purpose: Purpose) =>
  app.oauthTokensToHost && (purpose === 'reauthorize' || config.loginConfig?.oauthTokens === true)

export function handTokensOut(
  { session, settings, tellPage }: Pick<CapabilityPorts, 'session' | 'settings' | 'tellPage'>,
  tokens: OAuthTokens,
  user: UserRecord,
): void {
  const tell = (present: UserRecord) =>
    tellPage({ name: 'oauthTokens', data: { tokens, user: hostUser(present) } })
  let isHeld = termsAreDue(settings(), user)
  if (!isHeld) tell(user)
  session.subscribe((state) => {
    const isSame = state.status === 'authenticated' && state.user.id === user.id
    if (!isHeld || (isSame && termsAreDue(settings(), state.user))) return
    isHeld = false
    if (isSame) tell(state.user)
  })
}
