/** What comes between a login and its end: each step that is due, one after the other. */
import { dialogLimits, type UserRecord } from '@latchkey/protocol'
import type { AfterLogin, AfterLoginStep } from '../../core/login.ts'

export type StepsTaken =
  | { readonly type: 'done'; readonly taken: number; readonly holdMs: number }
  | { readonly type: 'undone' }

type Steps = AfterLogin & {
  readonly steps: readonly AfterLoginStep[]
  /** As the session has it: a step may change what is due after it. */
  readonly user: () => UserRecord | undefined
}

/** `holdMs`: how long what is seen at the end is to stay. */
export async function takeStepsAfterLogin({ steps, user, ...after }: Steps): Promise<StepsTaken> {
  const { card, login } = after
  const wait = (delayMs: number) =>
    new Promise<void>((resolve) => {
      card.after(delayMs, resolve)
    })
  let holdMs: number = dialogLimits.successCloseMs
  let taken = 0
  for (const step of steps) {
    if (!step.isDue(user() ?? login.user)) continue
    step.prepare?.()
    await wait(taken === 0 ? step.delayMs : holdMs)
    const outcome = await step.run(after)
    if (outcome.type === 'undone') return outcome
    holdMs = outcome.holdMs
    taken += 1
  }
  return { type: 'done', taken, holdMs }
}
