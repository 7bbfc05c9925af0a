/** Each step that is due between a login and its end, one after the other. */
import { descriptorOf, dialogLimits, type UserRecord } from '@latchkey/protocol'
import type { AfterLogin, AfterLoginStep, LoggedIn, StepOutcome } from '../../../contract/login.ts'

export type StepsTaken =
  /** `seen` settles when the user has had time to read the last screen. Nobody else waits for that. */
  | { readonly type: 'done'; readonly taken: number; readonly seen: Promise<void> }
  | Exclude<StepOutcome, { readonly type: 'done' }>

type Steps = Omit<AfterLogin, 'seen'> & {
  readonly steps: readonly AfterLoginStep[]
  /** The user as the session has it: a step may change what is due after it. */
  readonly user: () => UserRecord | undefined
  /** A login that was no part of this card shows no success that has to be seen first. */
  readonly seen?: Promise<void> | undefined
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
    const { success } = outcome
    if (success) {
      seen = seen.then(() => {
        card.replace(success.screen)
        return card.hold(success.holdMs)
      })
    }
    taken += 1
  }
  return { type: 'done', taken, seen: seen ?? card.hold(dialogLimits.successCloseMs) }
}

/** The success stays to be seen for longer where the user comes back to it from another window. */
export function beforeNextStepMs(
  { loginMethod }: LoggedIn,
  { longerAfterPhone }: Pick<AfterLoginStep, 'longerAfterPhone'> = {},
): number {
  const { leavesCard = false, byPhone = false } = loginMethod === null ? {} : descriptorOf(loginMethod)
  const isLonger = leavesCard || (byPhone && longerAfterPhone === true)
  return isLonger ? dialogLimits.beforeNextStepSocialMs : dialogLimits.beforeNextStepMs
}
