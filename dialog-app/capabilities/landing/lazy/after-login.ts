/** Runs the steps that are due between a login and its end, in order. */
import { dialogLimits, getLoginMethod, type UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../../contract/capability.ts'
import type { AfterLogin, AfterLoginStep, LoggedIn, StepOutcome } from '../../../contract/login.ts'
import { done, type FlowHandle } from '../../../flow/flow.ts'

/** `seen` settles when the user has had time to read the last screen. Only the end of the flow waits for it. */
export type TakenSteps = { type: 'done'; taken: number; seen: Promise<void> }
export type StepsTaken = TakenSteps | Exclude<StepOutcome, { type: 'done' }>

type Steps = Omit<AfterLogin, 'seen'> & {
  steps: readonly AfterLoginStep[]
  /** Returns the session's current user, because a step may change which later steps are due. */
  user: () => UserRecord | undefined
  /** Settled for a login outside this card, which showed no success screen here. */
  seen?: Promise<void> | undefined
}

/** Runs each due step. A step starts its work immediately, but shows its screen only after `seen` settles. */
export async function takeStepsAfterLogin({ steps, user, ...after }: Steps): Promise<StepsTaken> {
  const { card, login } = after
  let { seen } = after
  let stepCount = 0
  for (const step of steps) {
    if (!step.isDue(user() ?? login.user)) continue
    seen ??= card.hold(beforeNextStepMs(login, step))
    const outcome = await step.run({ ...after, seen })
    if (outcome.type !== 'done') return outcome
    seen = outcome.seen ?? seen
    stepCount += 1
  }
  return { type: 'done', taken: stepCount, seen: seen ?? card.hold(dialogLimits.successCloseMs) }
}

/** Resolves the caller's login immediately. The flow ends after the user had time to read the last screen. */
export async function finishLogin<Result>(
  { session, showNotices }: Pick<CapabilityPorts, 'session' | 'showNotices'>,
  card: FlowHandle<Result>,
  { taken, seen }: TakenSteps,
  result: Result,
  hasNotices: boolean,
): Promise<void> {
  // The user may have changed since the server's response. The login does not wait for the reload.
  if (taken === 0) session.reloadUser().catch(() => {})
  card.settle(done(result))
  // Notices open after this card. If they fail to load, the next login retries.
  if (hasNotices) showNotices().catch(() => {})
  await seen
  card.end()
}

/** Returns how long the success stays visible: longer if the user returns to it from another window. */
export function beforeNextStepMs(
  { loginMethod }: LoggedIn,
  { longerAfterPhone }: Pick<AfterLoginStep, 'longerAfterPhone'> = {},
): number {
  const { leavesCard = false, byPhone = false } = loginMethod === null ? {} : getLoginMethod(loginMethod)
  const isLonger = leavesCard || (byPhone && longerAfterPhone === true)
  return isLonger ? dialogLimits.beforeNextStepSocialMs : dialogLimits.beforeNextStepMs
}
