/** The host's call `login`: calls at once share one login, and who is logged in already is answered at once. */
import type { LoginResult } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../core/capability.ts'
import { hostUser } from '../../host/host-user.ts'
import { createShared } from '../../shared.ts'
import type { Cancellable } from '../../waiting.ts'
import { createLoginFlow, type LoginFlow } from './login-flow.ts'

export function createLogin(ports: CapabilityPorts): (asker: Cancellable) => Promise<LoginResult> {
  const { session, stage } = ports
  const join = createShared<LoginResult>()
  let running: LoginFlow | undefined

  session.subscribe((state, _before, origin) => {
    if (state.status === 'authenticated' && origin === 'elsewhere') running?.loggedInElsewhere(state.user)
  })

  async function knownUser(asker: Cancellable): Promise<LoginResult | undefined> {
    const user = await session.user(asker)
    if (!user) return undefined
    return {
      user: hostUser(user),
      isNewUser: false,
      wasAlreadyAuthenticated: true,
      loginMethod: null,
      loginAccount: null,
    }
  }

  async function loginOnce(signal: AbortSignal): Promise<LoginResult> {
    const known = await knownUser({ signal })
    if (known) return known
    return stage.begin<LoginResult>((handle) => {
      running = createLoginFlow(ports, handle, knownUser)
      return running
    }, signal)
  }

  return ({ signal }) => join(loginOnce, signal)
}
