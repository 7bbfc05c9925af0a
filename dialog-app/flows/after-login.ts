/** What comes after a login, in the order of the specification. */
import type { UserRecord } from '@latchkey/protocol'
import type { Settings } from '../core.ts'
import { isWalletDue, requiresTerms } from './app-settings.ts'

export type NextStep = 'consent' | 'create-wallet' | 'close'

/** `made`: the steps that this dialog has a screen for. */
export function stepAfterLogin(
  settings: Settings,
  user: UserRecord,
  made: ReadonlySet<NextStep> = madeSteps,
): NextStep {
  const due: readonly NextStep[] = [
    ...(requiresTerms(settings) && !user.hasAcceptedTerms ? (['consent'] as const) : []),
    ...(isWalletDue(settings, user) ? (['create-wallet'] as const) : []),
    'close',
  ]
  return due.find((step) => made.has(step)) ?? 'close'
}

const madeSteps: ReadonlySet<NextStep> = new Set<NextStep>(['create-wallet', 'close'])
