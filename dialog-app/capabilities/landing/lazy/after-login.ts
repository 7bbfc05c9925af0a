/** Each step that is due between a login and its end, one after the other. */
import { dialogLimits, getLoginMethod, type UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../../contract/capability.ts'
import type { AfterLogin, AfterLoginStep, LoggedIn, StepOutcome } from '../../../contract/login.ts'
import { done, type FlowHandle } from '../../../flow/flow.ts'

/** `seen` settles when the user has had time to read the last screen. Nobody else waits for that. */
export type TakenSteps = { type: 'done'; taken: number; seen: Promise<void> }
export type StepsTaken = TakenSteps | Exclude<StepOutcome, { type: 'done' }>

type Steps = Omit<AfterLogin, 'seen'> & {
  steps: readonly AfterLoginStep[]
  /** The user as the session has it: a step may change what is due after it. */
  user: () => UserRecord | undefined
  /** A login that was no part of this card shows no success that has to be seen first. */
  seen?: Promise<void> | undefined
}

/** A step begins its work at once, and shows itself when what stands before it was seen. */
export async function takeStepsAfterLogin({ steps, user, ...after }: Steps): Promise<StepsTaken> {
  const { card, login } = after
  let { seen } = after
  let taken = 0
  for (const step of steps) {
    if (!step.isDue(user() ?? login.user)) continue
    seen ??= card.hold(beforeNextStepMs(login, step))
    const outcome = await step.run({ ...after, seen })
    if (outcome.type !== 'done') return outcome
    seen = outcome.seen ?? seen
    taken += 1
  }
  return { type: 'done', taken, seen: seen ?? card.hold(dialogLimits.successCloseMs) }
}

/** Whoever asked hears of the login at once, and the flow ends when its last screen was seen. */
export async function finishLogin<Result>(
  { session, showNotices }: Pick<CapabilityPorts, 'session' | 'showNotices'>,
  card: FlowHandle<Result>,
  { taken, seen }: TakenSteps,
  result: Result,
  hasNotices: boolean,
): Promise<void> {
  // What the user has may have changed since the answer was made; nobody waits for it.
  if (taken === 0) session.reloadUser().catch(() => {})
  card.settle(done(result))
  // They have the turn after this one, whose success is seen first; what did not come is asked at the next login.
  if (hasNotices) showNotices().catch(() => {})
  await seen
  card.end()
}

/** The success stays to be seen for longer where the user comes back to it from another window. */
export function beforeNextStepMs(
  { loginMethod }: LoggedIn,
  { longerAfterPhone }: Pick<AfterLoginStep, 'longerAfterPhone'> = {},
): number {
  const { leavesCard = false, byPhone = false } = loginMethod === null ? {} : getLoginMethod(loginMethod)
  const isLonger = leavesCard || (byPhone && longerAfterPhone === true)
  return isLonger ? dialogLimits.beforeNextStepSocialMs : dialogLimits.beforeNextStepMs
}
