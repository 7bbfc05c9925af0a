/**
 * Passkeys among the browser's suggestions for the e-mail field (conditional mediation). The dialog's frame may use
 * them, because the loader allows it `publickey-credentials-get`.
 * https://www.w3.org/TR/webauthn-3/#enum-credentialmediationrequirement
 */
import { passkeyLimits } from '@latchkey/protocol'
import type { Assertion, AssertionOptions } from '@latchkey/protocol/api'
import { useEffect } from 'react'
import type { Clock } from '../../browser/ports.ts'
import type { PasskeySuggestions } from '../../webauthn/authenticator.ts'

export type Autofill = { start: () => void; stop: () => void }

type Ports<Challenge> = {
  clock: Clock
  /** Aborts when the card closes. */
  signal: AbortSignal
  suggestions: PasskeySuggestions
  /** Returns undefined if the login cannot begin. */
  begin: () => Promise<Challenge | undefined>
  onSelect: (challenge: Challenge, assertion: Assertion) => void
}

export function createAutofill<Challenge extends { options: AssertionOptions }>({
  clock,
  signal: closed,
  suggestions,
  begin,
  onSelect,
}: Ports<Challenge>): Autofill {
  let pending: AbortController | undefined

  async function offer(signal: AbortSignal): Promise<void> {
    if (!(await suggestions.isAvailable())) return
    while (!signal.aborted) {
      const challenge = await begin()
      if (!challenge || signal.aborted) return
      // A challenge expires while the user looks at the field.
      const expiry = new AbortController()
      const stopTimer = clock.after(passkeyLimits.autofillChallengeMs, () => expiry.abort())
      try {
        const request = AbortSignal.any([signal, expiry.signal])
        const assertion = await suggestions.get(challenge.options, request)
        if (!signal.aborted) onSelect(challenge, assertion)
        return
      } catch (error) {
        if (!expiry.signal.aborted) throw error
      } finally {
        stopTimer()
      }
    }
  }

  return {
    start() {
      if (pending) return
      pending = new AbortController()
      // The user logs in with the field, or with the row of passkeys.
      offer(AbortSignal.any([pending.signal, closed])).catch(() => {})
    },
    stop() {
      pending?.abort()
      pending = undefined
    },
  }
}

const field = 'input[autocomplete$="webauthn"]'
const isField = (target: unknown) => target instanceof Element && target.matches(field)

/** Offers passkeys while the e-mail field has the focus: another method, screen or passkey prompt takes it away. */
export function useAutofill(autofill: Autofill | undefined): void {
  useEffect(() => {
    if (!autofill) return
    const follow = ({ target }: Pick<Event, 'target'>) => {
      if (isField(target)) autofill.start()
      else autofill.stop()
    }
    follow({ target: document.activeElement })
    document.addEventListener('focusin', follow)
    return () => {
      document.removeEventListener('focusin', follow)
      autofill.stop()
    }
  }, [autofill])
}
