/** What comes between a login and its end: each step that is due, one after the other. */
import {
  dialogLimits,
  isCrossAppProvider,
  type LoginMethod,
  socialProviders,
  type UserRecord,
} from '@latchkey/protocol'
import type { AfterLogin, AfterLoginStep, LoggedIn, StepOutcome } from '../../../contract/login.ts'

export type StepsTaken =
  /** `seen`: the last of what there is to be read was read. Nobody else waits for that. */
  | { readonly type: 'done'; readonly taken: number; readonly seen: Promise<void> }
  | Exclude<StepOutcome, { readonly type: 'done' }>

type Steps = Omit<AfterLogin, 'seen'> & {
  readonly steps: readonly AfterLoginStep[]
  /** As the session has it: a step may change what is due after it. */
  readonly user: () => UserRecord | undefined
  /** Where the login was no part of this card: there is no success of it to be seen first. */
  readonly seen?: Promise<void> | undefined
}

/** A step begins its work at once, and shows itself when what stands before it was seen. */
export async function takeStepsAfterLogin({ steps, user, ...after }: Steps): Promise<StepsTaken> {
  const { card, login } = after
  let { seen } = after
  let taken = 0
  for (const step of steps) {
    if (!step.isDue(user() ?? login.user)) continue
    seen ??= card.hold(beforeNextStepMs(login, step.longerAfter))
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

const alwaysLonger: readonly LoginMethod[] = [...socialProviders, 'telegram']
const isFromWindow = (method: LoginMethod) => alwaysLonger.includes(method) || isCrossAppProvider(method)

/** The success stays to be seen for longer where the user comes back to it from another window. */
export function beforeNextStepMs(
  { loginMethod }: LoggedIn,
  longerAfter: readonly LoginMethod[] = [],
): number {
  const isLonger = loginMethod !== null && (isFromWindow(loginMethod) || longerAfter.includes(loginMethod))
  return isLonger ? dialogLimits.beforeNextStepSocialMs : dialogLimits.beforeNextStepMs
}
