/** A login by a passkey that the user chooses on the device. */
import { type Assertion, passkeyRoutes } from '@latchkey/protocol/api'
import { createElement } from 'react'
import { pushOnCard } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodInProgress, StartedMethod } from '../../contract/login.ts'
import { showElement } from '../../flow/screen.ts'
import { requiresCaptcha } from '../../host/settings.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import { createChallenges } from '../../webauthn/challenges.ts'
import { createAutofill } from './autofill.ts'
import type { Challenge, DialogueProps } from './dialogue-screen.tsx'
import { AutofilledEntry } from './entry.tsx'
import type { OnUnknown } from './passkey.ts'
import { dialogueScreen } from './screens.ts'
import { texts } from './texts.arb'

export function startPasskeyLogin(
  ports: CapabilityPorts & { onUnknown: OnUnknown },
  authenticator: Authenticator,
  progress: MethodInProgress,
): StartedMethod {
  const { api, clock, refusals, captchaPass, settings, onUnknown } = ports
  const { suggestions } = authenticator
  const { card } = progress
  const challenges = createChallenges(clock, async () => {
    const pass = await captchaPass(card)
    return pass && api.call(passkeyRoutes.beginPasskeyLogin, pass, { signal: card.signal })
  })

  function open(prompt: Prompt) {
    if (!progress.isAtEntry()) return
    progress.chosen()
    void pushOnCard(ports, card, dialogueScreen, { progress, refusals, onUnknown, ...prompt })
  }

  /** A captcha would appear without a press. */
  const canSuggest = suggestions && !requiresCaptcha(settings())
  const autofill = canSuggest
    ? createAutofill({
        clock,
        signal: card.signal,
        suggestions,
        begin: challenges.present,
        onSelect: (challenge, assertion) =>
          open(answeredBy(challenge, assertion, { challenges, authenticator })),
      })
    : undefined

  const onPress = () => open({ challenges, authenticator })
  return { entry: showElement(createElement(AutofilledEntry, { onPress, autofill }), texts) }
}

type Prompt = Pick<DialogueProps, 'challenges' | 'authenticator'>

/** Returns a prompt that the user has answered in the field. A retry prompts as usual. */
function answeredBy(
  challenge: Challenge,
  assertion: Assertion,
  { challenges, authenticator }: Prompt,
): Prompt {
  let isAnswered = true
  return {
    challenges: {
      present: async () => (isAnswered ? challenge : challenges.present()),
      spend: challenges.spend,
    },
    authenticator: {
      ...authenticator,
      async get(options, signal) {
        if (!isAnswered) return authenticator.get(options, signal)
        isAnswered = false
        return assertion
      },
    },
  }
}
