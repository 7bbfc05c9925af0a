/** The host's call `login`: calls at once share one login, and who is logged in already is answered at once. */
import { toLatchkeyError } from '@latchkey/protocol'
import type { LoginResult } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../core/capability.ts'
import { createShared } from '../../shared.ts'
import type { Cancellable } from '../../waiting.ts'
import {
  afterLogin,
  createLoginFlow,
  knownLogin,
  type LoginFlow,
  laterOptions,
  loginResult,
} from './login-flow.ts'
import { waitsForUser } from './waits-for-user.ts'

export type Login = {
  readonly logIn: (asker: Cancellable) => Promise<LoginResult>
  readonly loadAhead: () => Promise<unknown>
}

export function createLogin(ports: CapabilityPorts): Login {
  const { session, stage, refusals } = ports
  const join = createShared<LoginResult>()
  let running: LoginFlow | undefined
  let telling: Promise<void> | undefined

  session.subscribe((state, _before, origin) => {
    if (state.status === 'authenticated' && origin === 'elsewhere') running?.loggedInElsewhere(state.user)
  })

  /** The host hears of it at once; the user alone can mend it, and is told which setting is in the way. */
  function tellOfStorage(error: unknown): never {
    if (toLatchkeyError(error, 'error', '').code === 'session_storage_unavailable') {
      telling ??= refusals.tell(error).finally(() => {
        telling = undefined
      })
      telling.catch(() => {})
    }
    throw error
  }

  async function loginOnce(signal: AbortSignal): Promise<LoginResult> {
    const known = await session.user({ signal }).catch(tellOfStorage)
    if (known && !waitsForUser(ports.afterLogin(), known)) {
      return loginResult(knownLogin(known), true)
    }
    return stage.begin<LoginResult>((handle) => {
      running = createLoginFlow(ports, handle)
      return running
    }, signal)
  }

  return {
    logIn: ({ signal }) => join(loginOnce, signal),
    loadAhead: async () => Promise.all([afterLogin.load(), (await laterOptions(ports))?.loadViews()]),
  }
}
