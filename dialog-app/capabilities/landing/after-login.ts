/** What comes between a login and its end: each step that is due, one after the other. */
import { dialogLimits, type UserRecord } from '@latchkey/protocol'
import type { AfterLogin, AfterLoginStep } from '../../core/login.ts'

export type StepsTaken =
  /** `seen`: the last of what there is to be read was read. Nobody else waits for that. */
  | { readonly type: 'done'; readonly taken: number; readonly seen: Promise<void> }
  | { readonly type: 'undone' }

type Steps = Omit<AfterLogin, 'seen'> & {
  readonly steps: readonly AfterLoginStep[]
  /** As the session has it: a step may change what is due after it. */
  readonly user: () => UserRecord | undefined
}

/** A step begins its work at once, and shows itself when what stands before it was seen. */
export async function takeStepsAfterLogin({ steps, user, ...after }: Steps): Promise<StepsTaken> {
  const { card, login } = after
  let seen: Promise<void> | undefined
  let taken = 0
  for (const step of steps) {
    if (!step.isDue(user() ?? login.user)) continue
    seen ??= card.hold(step.delayMs)
    const outcome = await step.run({ ...after, seen })
    if (outcome.type === 'undone') return outcome
    const { screen, holdMs } = outcome
    seen = seen.then(() => {
      card.replace(screen)
      return card.hold(holdMs)
    })
    taken += 1
  }
  return { type: 'done', taken, seen: seen ?? card.hold(dialogLimits.successCloseMs) }
}
