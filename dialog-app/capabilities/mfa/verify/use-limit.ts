import { useEffect, useEffectEvent } from 'react'
import { isLimit, type MfaProblem, verifyProblemOf } from '../problem.ts'
import type { PendingVerification } from './verification.ts'

/** Calls the function when no further answer is accepted. */
export function useLimit({ outcome }: PendingVerification, onLimit: (problem: MfaProblem) => void) {
  const notify = useEffectEvent(onLimit)
  useEffect(() => {
    outcome.catch((error: unknown) => {
      if (isLimit(error)) notify(verifyProblemOf(error))
    })
  }, [outcome])
}
