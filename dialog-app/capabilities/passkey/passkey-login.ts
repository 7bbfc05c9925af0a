/** A login by whichever passkey the user picks: the device shows which there are. */

import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { passkeyRoutes, type RouteOutput } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { rowFor } from '../../contract/error-table.ts'
import type { LoggedIn, MethodInProgress, StartedMethod } from '../../contract/login.ts'
import { screen } from '../../flow/screen.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import { createChallenges } from '../../webauthn/challenges.ts'
import type { DialogueState } from './passkey-screens.tsx'
import { problems } from './problem.ts'
import { dialogueScreen, passkeyEntry } from './screens.ts'

type Begun = RouteOutput<typeof passkeyRoutes.beginPasskeyLogin>

export function startPasskeyLogin(
  { api, session, clock, refusals, captchaPass }: CapabilityPorts,
  authenticator: Authenticator,
  progress: MethodInProgress,
): StartedMethod {
  const { card } = progress
  const asker = { signal: card.signal }
  const challenges = createChallenges(clock, async () => {
    const pass = await captchaPass(card)
    return pass && api.call(passkeyRoutes.beginPasskeyLogin, pass, asker)
  })
  /** One try at a time: what belongs to an earlier one comes too late. */
  let tries = 0

  const view = (state: DialogueState) => screen(dialogueScreen, state, { retry })

  function choose() {
    progress.chosen()
    card.go(view({ status: 'loading' }))
    void logIn()
  }

  function retry() {
    card.update(view({ status: 'loading' }))
    void logIn()
  }

  async function logIn() {
    tries += 1
    const own = tries
    const isPresent = () => own === tries && card.isAt(dialogueScreen)
    let begun: Begun | undefined
    try {
      begun = await challenges.present()
    } catch (error) {
      if (!isPresent()) return
      card.back()
      progress.refuse(error)
      return
    }
    if (!isPresent()) return
    if (!begun) {
      card.back()
      return
    }
    try {
      const login = await answer(begun, isPresent)
      if (!login) return
      card.update(view({ status: 'success' }))
      progress.complete(login)
    } catch (error) {
      if (isPresent()) refuse(toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong'))
    }
  }

  async function answer(
    { relyingParty, options }: Begun,
    isPresent: () => boolean,
  ): Promise<LoggedIn | undefined> {
    const assertion = await authenticator.get(options, card.signal)
    if (!isPresent()) return undefined
    challenges.spend()
    const body = { relyingParty, challenge: options.challenge, authenticatorResponse: assertion }
    const proved = await progress.prove(
      {
        logIn: (vault, asked) =>
          session.logIn(passkeyRoutes.loginWithPasskey, { ...body, ...(vault && { vault }) }, asked),
      },
      asker,
    )
    const loginAccount = proved.user.linkedAccounts.find(
      (account) => account.type === 'passkey' && account.credentialId === assertion.id,
    )
    return { ...proved, loginMethod: 'passkey', loginAccount: loginAccount ?? null }
  }

  function refuse(error: LatchkeyError) {
    card.update(view({ status: 'error', problem: rowFor(problems, error.code) }))
    if (refusals.hasOwnScreen(error.code)) progress.refuse(error)
  }

  return { entry: () => progress.entry(passkeyEntry, {}, { choose }) }
}
