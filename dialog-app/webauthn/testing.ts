/** A device prompt that the test answers in place of the user. */
import type { Assertion, Attestation } from '@latchkey/protocol/api'
import { settle } from '../testing/clock.ts'
import { type Authenticator, notAllowed } from './authenticator.ts'

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
  const authenticator: Authenticator = {
    get: answering(answers.assertion),
    create: answering(answers.attestation),
  }
  async function end(how: (given: typeof prompt) => void) {
    const currentPrompt = prompt
    prompt = Promise.withResolvers<void>()
    how(currentPrompt)
    await settle()
  }
  return {
    authenticator,
    asked: requests,
    approve: () => end(({ resolve }) => resolve()),
    refuse: (error: Error = notAllowed()) => end(({ reject }) => reject(error)),
  }
}
