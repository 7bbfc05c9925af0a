/**
 * Who may guess and send how often. The budget is the address's, whatever the resends, the parallel calls and
 * the browsers; but a browser that had a session of the address has a budget of its own, so that nobody can use
 * up somebody else's.
 */
import { attemptLimits } from '@latchkey/protocol'
import { type Allowance, consume } from '../../attempts/attempts.ts'
import type { Trx } from '../../ports.ts'
import { type CodePlace, isKnownBrowser } from './store.ts'

const { guessesPerWindow, sendsPerWindow, guessWindowSeconds, guessesPerDay, sendsPerDay, daySeconds } =
  attemptLimits

const budgets = {
  guess: [
    { limit: guessesPerWindow, windowSeconds: guessWindowSeconds },
    { limit: guessesPerDay, windowSeconds: daySeconds },
  ],
  send: [
    { limit: sendsPerWindow, windowSeconds: guessWindowSeconds },
    { limit: sendsPerDay, windowSeconds: daySeconds },
  ],
} as const

export async function spend(
  trx: Trx,
  what: keyof typeof budgets,
  place: CodePlace,
  nowSeconds: number,
): Promise<Allowance> {
  const { appId, address, binding } = place
  const ownBudget = binding !== '' && (await isKnownBrowser(trx, place))
  const key = [`email-${what}`, appId, address, ...(ownBudget ? [binding] : [])].join('\n')
  return consume(trx, { key, budgets: budgets[what], nowSeconds })
}
