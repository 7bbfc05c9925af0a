/** The host's call `login`: calls at once share one login, and who is logged in already is answered at once. */
import type { LoginResult } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../core/capability.ts'
import { hostUser } from '../../host/host-user.ts'
import { createLoginFlow, type LoginFlow } from './login-flow.ts'

type SharedLogin = {
  readonly outcome: Promise<LoginResult>
  readonly callers: Set<AbortSignal>
  readonly abandoned: AbortController
}

export function createLogin(ports: CapabilityPorts): (signal: AbortSignal) => Promise<LoginResult> {
  const { session, stage } = ports
  let shared: SharedLogin | undefined
  let running: LoginFlow | undefined

  session.subscribe((state, _before, origin) => {
    if (state.status === 'authenticated' && origin === 'elsewhere') running?.loggedInElsewhere(state.user)
  })

  async function loginOnce(abandoned: AbortSignal): Promise<LoginResult> {
    const known = await knownUser()
    if (known) return known
    return stage.begin<LoginResult>((handle) => {
      running = createLoginFlow(ports, handle, knownUser)
      return running
    }, abandoned)
  }

  async function knownUser(): Promise<LoginResult | undefined> {
    const user = await session.user()
    if (!user) return undefined
    return {
      user: hostUser(user),
      isNewUser: false,
      wasAlreadyAuthenticated: true,
      loginMethod: null,
      loginAccount: null,
    }
  }

  function share(): SharedLogin {
    const abandoned = new AbortController()
    const outcome = loginOnce(abandoned.signal).finally(() => {
      shared = undefined
      running = undefined
    })
    return { outcome, callers: new Set(), abandoned }
  }

  return (signal) => {
    shared ??= share()
    const { outcome, callers, abandoned } = shared
    callers.add(signal)
    signal.addEventListener('abort', () => {
      callers.delete(signal)
      if (callers.size === 0) abandoned.abort()
    })
    return outcome
  }
}
