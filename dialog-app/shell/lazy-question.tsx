import { useEffect } from 'react'
import type { LeaveQuestionProps } from './lazy/leave-question.tsx'
import { useLazyPart } from './lazy-part.ts'

const load = () => import('./lazy/leave-question.tsx')

/** Asks for it ahead, beside a screen that is there already. */
export function useLeaveQuestionAhead(mayBeAsked: boolean) {
  useEffect(() => {
    if (mayBeAsked) load().catch(() => {})
  }, [mayBeAsked])
}

/** The question, once it is loaded. Where it can not be had, leaving is leaving. */
export function LazyQuestion(props: LeaveQuestionProps) {
  const loaded = useLazyPart(load, props.onLeave)
  return loaded && <loaded.LeaveQuestion {...props} />
}
