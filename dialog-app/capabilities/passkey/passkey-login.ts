/** A login by a passkey that the user chooses on the device. */
import { passkeyRoutes } from '@latchkey/protocol/api'
import { createElement } from 'react'
import { pushOnCard } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodInProgress, StartedMethod } from '../../contract/login.ts'
import { showElement } from '../../flow/screen.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import { createChallenges } from '../../webauthn/challenges.ts'
import { PasskeyEntry } from './entry.tsx'
import { dialogueScreen } from './screens.ts'
import { texts } from './texts.arb'

export function startPasskeyLogin(
  ports: CapabilityPorts,
  authenticator: Authenticator,
  progress: MethodInProgress,
): StartedMethod {
  const { api, clock, refusals, captchaPass } = ports
  const { card } = progress
  const challenges = createChallenges(clock, async () => {
    const pass = await captchaPass(card)
    return pass && api.call(passkeyRoutes.beginPasskeyLogin, pass, { signal: card.signal })
  })

  function press() {
    if (!progress.isAtEntry()) return
    progress.chosen()
    void pushOnCard(ports, card, dialogueScreen, { progress, challenges, authenticator, refusals })
  }

  return { entry: showElement(createElement(PasskeyEntry, { onPress: press }), texts) }
}
