/**
 * Rate limits for guessing and sending codes. The quota belongs to the identifier, across resends, parallel calls and
 * browsers. A browser that had a session of the identifier has its own quota, so that attackers can not lock out the
 * user.
 */
import { attemptLimits } from '@latchkey/protocol'
import { type Allowance, type Charge, checkAll, consumeAll } from '../../kernel/attempts/attempts.ts'
import type { Trx } from '../../kernel/ports.ts'
import type { CodeKey } from './code-key.ts'
import { codeLimits } from './limits.ts'
import { isKnownBrowser } from './store.ts'

const { guessesPerWindow, sendsPerWindow, guessWindowSeconds, guessesPerDay, sendsPerDay, daySeconds } =
  attemptLimits

const createQuotas = (perWindow: number, perDay: number) => [
  { limit: perWindow, windowSeconds: guessWindowSeconds },
  { limit: perDay, windowSeconds: daySeconds },
]

const identifierQuotas = {
  guess: createQuotas(guessesPerWindow, guessesPerDay),
  send: createQuotas(sendsPerWindow, sendsPerDay),
} as const

/** Quotas of a caller, across identifiers. A stray guess is a guess without a code that was sent to its browser. */
const callerQuotas = {
  'stray-guess': [{ limit: codeLimits.strayGuessesPerWindow, windowSeconds: guessWindowSeconds }],
  'wrong-guess': createQuotas(codeLimits.wrongGuessesPerWindow, codeLimits.wrongGuessesPerDay),
  'session-guess': createQuotas(codeLimits.sessionGuessesPerWindow, codeLimits.sessionGuessesPerDay),
  'session-send': createQuotas(codeLimits.sessionSendsPerWindow, codeLimits.sessionSendsPerDay),
  send: createQuotas(codeLimits.sendsPerWindow, codeLimits.sendsPerDay),
  'paid-send': createQuotas(codeLimits.paidSendsPerWindow, codeLimits.paidSendsPerDay),
} as const

/** The source of a call, for rate limits. */
export type Caller = {
  /** The client's network address. If undefined, no network is charged. */
  address: string | undefined
  /** The session, if the call has one. Otherwise the code's browser stands in for it. */
  sessionId?: string | undefined
}

/** A right guess needs available quota, but consumes none. */
const consumeByResult = { right: checkAll, wrong: consumeAll } as const

/**
 * Charges a guess at a code that was sent to this browser. It charges the identifier, and also network and session, so
 * that one attacker can not guess at many identifiers. A known browser is charged to its own quota only, so that a
 * large shared network can not lock it out.
 */
export async function consumeGuess(
  trx: Trx,
  guess: keyof typeof consumeByResult,
  code: CodeKey,
  { address, sessionId }: Caller,
  nowSeconds: number,
): Promise<Allowance> {
  const isKnown = await comesFromKnownBrowser(trx, code)
  const charges = [
    { key: getQuotaKey('guess', code, code.identifier, isKnown), quotas: identifierQuotas.guess },
    ...(isKnown ? [] : createCharges('wrong-guess', address)),
    ...(isKnown ? [] : createCharges('session-guess', getSessionKey(code, sessionId))),
  ]
  return consumeByResult[guess](trx, charges, nowSeconds)
}

/** Charges a sent code to the recipient's mailbox or number, and to the requesting network and session. */
export async function consumeSend(
  trx: Trx,
  send: 'send' | 'paid-send',
  code: CodeKey,
  { address, sessionId }: Caller,
  nowSeconds: number,
): Promise<Allowance> {
  const recipient = code.purpose.getRecipient?.(code.identifier) ?? code.identifier
  const key = getQuotaKey('send', code, recipient, await comesFromKnownBrowser(trx, code))
  const charges = [
    { key, quotas: identifierQuotas.send },
    ...createCharges(send, address),
    ...createCharges('session-send', getSessionKey(code, sessionId)),
  ]
  return consumeAll(trx, charges, nowSeconds)
}

export const consumeStrayGuess = (trx: Trx, { address }: Caller, nowSeconds: number): Promise<Allowance> =>
  consumeAll(trx, createCharges('stray-guess', address), nowSeconds)

/** Returns no charge if the party is unknown. */
const createCharges = (what: keyof typeof callerQuotas, who: string | undefined): readonly Charge[] =>
  who === undefined ? [] : [{ key: `${what}\n${who}`, quotas: callerQuotas[what] }]

/** Clients without a login binding can not be told apart, so they have no session quota. */
const getSessionKey = ({ appId, binding }: CodeKey, sessionId: string | undefined) =>
  sessionId ?? (binding === '' ? undefined : `${appId}\n${binding}`)

const comesFromKnownBrowser = async (trx: Trx, code: CodeKey) =>
  code.binding !== '' && (await isKnownBrowser(trx, code))

const getQuotaKey = (
  budget: keyof typeof identifierQuotas,
  { appId, purpose, binding }: CodeKey,
  charged: string,
  hasOwnBudget: boolean,
) => [`${purpose.name}-${budget}`, appId, charged, ...(hasOwnBudget ? [binding] : [])].join('\n')
