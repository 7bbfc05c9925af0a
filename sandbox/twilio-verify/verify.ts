/**
 * Pending verifications of Twilio Verify, one per number. Repeated sends use the same code. A verification
 * lasts ten minutes and allows five sends and five checks.
 * https://www.twilio.com/docs/verify/api
 */
import { randomInt, randomUUID } from 'node:crypto'

const verifyLimits = { lifeMs: 10 * 60_000, sendings: 5, checks: 5, codeDigits: 6 } as const

export type Verification = {
  sid: string
  to: string
  code: string
  createdAt: number
  sendings: readonly { sid: string; at: number }[]
  checks: number
}

export type Sending =
  | { type: 'sent'; verification: Verification }
  | { type: 'invalid-number' }
  | { type: 'too-many-sendings' }

export type Check =
  | { type: 'checked'; approved: boolean; verification: Verification }
  | { type: 'not-found' }
  | { type: 'too-many-checks' }

export type Verify = {
  send: (to: string) => Sending
  /** Checks the code of the verification with this number or id. */
  check: (which: { to?: string; sid?: string }, code: string) => Check
  /** Returns the number of calls so far, failed calls included. */
  counts: () => { sendings: number; checks: number }
}

const sid = (prefix: string) => prefix + randomUUID().replaceAll('-', '')

export function createVerify(clock: { now: () => number }): Verify {
  const verifications = new Map<string, Verification>()
  const counters = { sendings: 0, checks: 0 }

  const ifValid = (verification: Verification | undefined) =>
    verification && clock.now() < verification.createdAt + verifyLimits.lifeMs ? verification : undefined
  const bySid = (wanted: string) => [...verifications.values()].find(({ sid }) => sid === wanted)

  return {
    send(to) {
      counters.sendings += 1
      if (!/^\+[1-9]\d{6,14}$/.test(to)) return { type: 'invalid-number' }
      const current = ifValid(verifications.get(to)) ?? {
        sid: sid('VE'),
        to,
        code: String(randomInt(10 ** verifyLimits.codeDigits)).padStart(verifyLimits.codeDigits, '0'),
        createdAt: clock.now(),
        sendings: [],
        checks: 0,
      }
      if (current.sendings.length >= verifyLimits.sendings) return { type: 'too-many-sendings' }
      const sendings = [...current.sendings, { sid: sid('VL'), at: clock.now() }]
      const verification = { ...current, sendings }
      verifications.set(to, verification)
      return { type: 'sent', verification }
    },

    check({ to, sid }, code) {
      counters.checks += 1
      const verification = ifValid(sid === undefined ? verifications.get(to ?? '') : bySid(sid))
      if (verification === undefined) return { type: 'not-found' }
      if (verification.checks >= verifyLimits.checks) return { type: 'too-many-checks' }
      const approved = verification.code === code
      if (approved) verifications.delete(verification.to)
      else verifications.set(verification.to, { ...verification, checks: verification.checks + 1 })
      return { type: 'checked', approved, verification }
    },

    counts: () => ({ ...counters }),
  }
}
