import { dialogLimits, type LoginMethod, socialProviders } from '@latchkey/protocol'
import type { LoggedIn } from './login.ts'

/**
 * How long the success of a login stays to be seen before the next step: longer where the user comes back to it from
 * another window. `longerToo` are methods that only this step waits longer for.
 */
export function beforeNextStepMs({ loginMethod }: LoggedIn, ...longerToo: readonly LoginMethod[]): number {
  const longer: readonly (LoginMethod | null)[] = [...socialProviders, 'telegram', ...longerToo]
  return longer.includes(loginMethod) ? dialogLimits.beforeNextStepSocialMs : dialogLimits.beforeNextStepMs
}
