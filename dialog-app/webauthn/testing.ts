/** A device prompt that the test answers in place of the user. */
import type { Assertion, Attestation } from '@latchkey/protocol/api'
import { settle } from '../testing/clock.ts'
import { type Authenticator, notAllowed } from './authenticator.ts'

export const assertion: Assertion = {
  id: 'Zmlyc3Q',
  rawId: 'Zmlyc3Q',
  response: { clientDataJson: 'Y2xpZW50', authenticatorData: 'ZGF0YQ', signature: 'c2ln' },
  clientExtensionResults: {},
  type: 'public-key',
}
export const attestation: Attestation = {
  id: 'bmV3',
  rawId: 'bmV3',
  response: { clientDataJson: 'Y2xpZW50', attestationObject: 'b2JqZWN0' },
  clientExtensionResults: {},
  type: 'public-key',
}

export function makeDevice(answers: { assertion: Assertion; attestation: Attestation }) {
  let prompt = Promise.withResolvers<void>()
  const requests: { options: unknown; signal: AbortSignal }[] = []
  const answering =
    <T>(answer: T) =>
    async (options: unknown, signal: AbortSignal): Promise<T> => {
      requests.push({ options, signal })
      await prompt.promise
      return answer
    }
  let suggestion = Promise.withResolvers<void>()
  const suggested: { options: unknown; signal: AbortSignal }[] = []
  const authenticator: Authenticator = {
    get: answering(answers.assertion),
    create: answering(answers.attestation),
    suggestions: {
      isAvailable: async () => true,
      async get(options, signal) {
        suggested.push({ options, signal })
        await Promise.race([
          suggestion.promise,
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(notAllowed()))),
        ])
        return answers.assertion
      },
    },
  }
  async function end(how: (given: typeof prompt) => void) {
    const currentPrompt = prompt
    prompt = Promise.withResolvers<void>()
    how(currentPrompt)
    await settle()
  }
  return {
    authenticator,
    /** The requests for a suggestion in a field. */
    suggested,
    async selectSuggestion() {
      suggestion.resolve()
      suggestion = Promise.withResolvers()
      await settle()
    },
    asked: requests,
    approve: () => end(({ resolve }) => resolve()),
    refuse: (error: Error = notAllowed()) => end(({ reject }) => reject(error)),
  }
}
