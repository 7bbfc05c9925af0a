/**
 * Who may guess and send how often. The budget is the identifier's, whatever the resends, the parallel calls and
 * the browsers; but a browser that had a session of the identifier has a budget of its own, so that nobody can use
 * up somebody else's.
 */
import { attemptLimits } from '@latchkey/protocol'
import { type Allowance, pass, take } from '../attempts/attempts.ts'
import { codeLimits } from '../limits.ts'
import type { Trx } from '../ports.ts'
import type { CodeKey } from './code-key.ts'
import { isKnownBrowser } from './store.ts'

const { guessesPerWindow, sendsPerWindow, guessWindowSeconds, guessesPerDay, sendsPerDay, daySeconds } =
  attemptLimits

const guesses = [
  { limit: guessesPerWindow, windowSeconds: guessWindowSeconds },
  { limit: guessesPerDay, windowSeconds: daySeconds },
]
/** The right guess needs room like any other, and takes none. */
const rows = {
  guess: { budget: 'guess', budgets: guesses, from: take },
  'right guess': { budget: 'guess', budgets: guesses, from: pass },
  send: {
    budget: 'send',
    budgets: [
      { limit: sendsPerWindow, windowSeconds: guessWindowSeconds },
      { limit: sendsPerDay, windowSeconds: daySeconds },
    ],
    from: take,
  },
} as const
/** What a network may do whoever is meant by it: guess at what was not sent to it, and have sent what costs money. */
const ofNetwork = {
  'stray-guess': [{ limit: codeLimits.strayGuessesPerWindow, windowSeconds: guessWindowSeconds }],
  'paid-send': [
    { limit: codeLimits.paidSendsPerWindow, windowSeconds: guessWindowSeconds },
    { limit: codeLimits.paidSendsPerDay, windowSeconds: daySeconds },
  ],
} as const

export async function takeFromIdentifier(
  trx: Trx,
  what: keyof typeof rows,
  code: CodeKey,
  nowSeconds: number,
): Promise<Allowance> {
  const { appId, purpose, identifier, binding } = code
  const ownBudget = binding !== '' && (await isKnownBrowser(trx, code))
  const { budget, budgets, from } = rows[what]
  const key = [`${purpose.name}-${budget}`, appId, identifier, ...(ownBudget ? [binding] : [])].join('\n')
  return from(trx, { key, budgets, nowSeconds })
}

/** Where no address is known, nobody can be charged. */
export async function takeFromNetwork(
  trx: Trx,
  what: keyof typeof ofNetwork,
  address: string | undefined,
  nowSeconds: number,
): Promise<Allowance> {
  if (address === undefined) return { allowed: true, taken: [] }
  return take(trx, { key: `${what}\n${address}`, budgets: ofNetwork[what], nowSeconds })
}
