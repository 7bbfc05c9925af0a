/**
 * Who may guess and send how often. The budget is the identifier's, whatever the resends, the parallel calls and
 * the browsers; but a browser that had a session of the identifier has a budget of its own, so that nobody can use
 * up somebody else's.
 */
import { attemptLimits } from '@latchkey/protocol'
import { type Allowance, take } from '../attempts/attempts.ts'
import { codeLimits } from '../limits.ts'
import type { Trx } from '../ports.ts'
import type { CodeKey } from './code-key.ts'
import { isKnownBrowser } from './store.ts'

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
const strayGuesses = [{ limit: codeLimits.strayGuessesPerWindow, windowSeconds: guessWindowSeconds }]

export async function takeFromIdentifier(
  trx: Trx,
  what: keyof typeof budgets,
  code: CodeKey,
  nowSeconds: number,
): Promise<Allowance> {
  const { appId, purpose, identifier, binding } = code
  const ownBudget = binding !== '' && (await isKnownBrowser(trx, code))
  const key = [`${purpose.name}-${what}`, appId, identifier, ...(ownBudget ? [binding] : [])].join('\n')
  return take(trx, { key, budgets: budgets[what], nowSeconds })
}

/** Where no address is known, nobody can be charged. */
export async function takeFromNetwork(
  trx: Trx,
  address: string | undefined,
  nowSeconds: number,
): Promise<Allowance> {
  if (address === undefined) return { allowed: true, taken: [] }
  return take(trx, { key: `stray-guess\n${address}`, budgets: strayGuesses, nowSeconds })
}
