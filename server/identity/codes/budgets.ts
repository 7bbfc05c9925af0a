/**
 * Who may guess and send how often. The budget is the identifier's, whatever the resends, the parallel calls and
 * the browsers; but a browser that had a session of the identifier has a budget of its own, so that nobody can use
 * up somebody else's.
 */
import { attemptLimits } from '@latchkey/protocol'
import { type Allowance, type Charge, checkAll, consumeAll } from '../../kernel/attempts/attempts.ts'
import type { Trx } from '../../kernel/ports.ts'
import type { CodeKey } from './code-key.ts'
import { codeLimits } from './limits.ts'
import { isKnownBrowser } from './store.ts'

const { guessesPerWindow, sendsPerWindow, guessWindowSeconds, guessesPerDay, sendsPerDay, daySeconds } =
  attemptLimits

const budgetsOf = (perWindow: number, perDay: number) => [
  { limit: perWindow, windowSeconds: guessWindowSeconds },
  { limit: perDay, windowSeconds: daySeconds },
]

const ofIdentifier = {
  guess: budgetsOf(guessesPerWindow, guessesPerDay),
  send: budgetsOf(sendsPerWindow, sendsPerDay),
} as const

/** What a caller may do whoever is meant by it. A stray guess is one at a code that was not sent to its browser. */
const ofCaller = {
  'stray-guess': [{ limit: codeLimits.strayGuessesPerWindow, windowSeconds: guessWindowSeconds }],
  'wrong-guess': budgetsOf(codeLimits.wrongGuessesPerWindow, codeLimits.wrongGuessesPerDay),
  'session-guess': budgetsOf(codeLimits.sessionGuessesPerWindow, codeLimits.sessionGuessesPerDay),
  'session-send': budgetsOf(codeLimits.sessionSendsPerWindow, codeLimits.sessionSendsPerDay),
  send: budgetsOf(codeLimits.sendsPerWindow, codeLimits.sendsPerDay),
  'paid-send': budgetsOf(codeLimits.paidSendsPerWindow, codeLimits.paidSendsPerDay),
} as const

/** Where a call comes from. */
export type Caller = {
  /** Its network. Where none is known, no network is charged. */
  address: string | undefined
  /** Its session, where it needs one; else the browser of the code stands for one. */
  sessionId?: string | undefined
}

/** The right guess needs room like any other, and takes none. */
const from = { right: checkAll, wrong: consumeAll } as const

/**
 * A guess at a code that was sent to this browser. It costs the identifier, and the network and the session that it
 * comes from: they could else guess at many identifiers. A browser that had a session of the identifier costs its own
 * budget alone, so that nobody of a large network can use up everybody's.
 */
export async function takeGuess(
  trx: Trx,
  guess: keyof typeof from,
  code: CodeKey,
  { address, sessionId }: Caller,
  nowSeconds: number,
): Promise<Allowance> {
  const isKnown = await isOfKnownBrowser(trx, code)
  const charges = [
    { key: keyOf('guess', code, code.identifier, isKnown), quotas: ofIdentifier.guess },
    ...(isKnown ? [] : chargedAs('wrong-guess', address)),
    ...(isKnown ? [] : chargedAs('session-guess', sessionOf(code, sessionId))),
  ]
  return from[guess](trx, charges, nowSeconds)
}

/** A code that is sent costs whoever gets it, by whichever of their addresses, and the network and session that ask. */
export async function takeSend(
  trx: Trx,
  send: 'send' | 'paid-send',
  code: CodeKey,
  { address, sessionId }: Caller,
  nowSeconds: number,
): Promise<Allowance> {
  const recipient = code.purpose.recipientOf?.(code.identifier) ?? code.identifier
  const key = keyOf('send', code, recipient, await isOfKnownBrowser(trx, code))
  const charges = [
    { key, quotas: ofIdentifier.send },
    ...chargedAs(send, address),
    ...chargedAs('session-send', sessionOf(code, sessionId)),
  ]
  return consumeAll(trx, charges, nowSeconds)
}

export const takeStrayGuess = (trx: Trx, { address }: Caller, nowSeconds: number): Promise<Allowance> =>
  consumeAll(trx, chargedAs('stray-guess', address), nowSeconds)

/** Nothing where nobody is known whom it could be charged to. */
const chargedAs = (what: keyof typeof ofCaller, who: string | undefined): readonly Charge[] =>
  who === undefined ? [] : [{ key: `${what}\n${who}`, quotas: ofCaller[what] }]

/** Clients that send no binding could be any number of browsers. */
const sessionOf = ({ appId, binding }: CodeKey, sessionId: string | undefined) =>
  sessionId ?? (binding === '' ? undefined : `${appId}\n${binding}`)

const isOfKnownBrowser = async (trx: Trx, code: CodeKey) =>
  code.binding !== '' && (await isKnownBrowser(trx, code))

const keyOf = (
  budget: keyof typeof ofIdentifier,
  { appId, purpose, binding }: CodeKey,
  charged: string,
  hasOwnBudget: boolean,
) => [`${purpose.name}-${budget}`, appId, charged, ...(hasOwnBudget ? [binding] : [])].join('\n')
