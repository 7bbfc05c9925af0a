/**
 * What Twilio Verify keeps of a service: verifications that are under way. A number has one at a time, with the same
 * code however often it is sent, for ten minutes; it takes five sendings and five checks.
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
  | { type: 'invalid number' }
  | { type: 'too many sendings' }

export type Check =
  | { type: 'checked'; approved: boolean; verification: Verification }
  | { type: 'not found' }
  | { type: 'too many checks' }

export type Verify = {
  send: (to: string) => Sending
  /** Checks a code; the number or the id names the verification. */
  check: (which: { to?: string; sid?: string }, code: string) => Check
  /** How often each was asked for so far, whatever came of it. */
  counts: () => { sendings: number; checks: number }
}

const sid = (prefix: string) => prefix + randomUUID().replaceAll('-', '')

export function createVerify(clock: { now: () => number }): Verify {
  const underWay = new Map<string, Verification>()
  const counted = { sendings: 0, checks: 0 }

  const alive = (verification: Verification | undefined) =>
    verification && clock.now() < verification.createdAt + verifyLimits.lifeMs ? verification : undefined
  const bySid = (wanted: string) => [...underWay.values()].find(({ sid }) => sid === wanted)

  return {
    send(to) {
      counted.sendings += 1
      if (!/^\+[1-9]\d{6,14}$/.test(to)) return { type: 'invalid number' }
      const known = alive(underWay.get(to)) ?? {
        sid: sid('VE'),
        to,
        code: String(randomInt(10 ** verifyLimits.codeDigits)).padStart(verifyLimits.codeDigits, '0'),
        createdAt: clock.now(),
        sendings: [],
        checks: 0,
      }
      if (known.sendings.length >= verifyLimits.sendings) return { type: 'too many sendings' }
      const sendings = [...known.sendings, { sid: sid('VL'), at: clock.now() }]
      const verification = { ...known, sendings }
      underWay.set(to, verification)
      return { type: 'sent', verification }
    },

    check({ to, sid }, code) {
      counted.checks += 1
      const verification = alive(sid === undefined ? underWay.get(to ?? '') : bySid(sid))
      if (verification === undefined) return { type: 'not found' }
      if (verification.checks >= verifyLimits.checks) return { type: 'too many checks' }
      const approved = verification.code === code
      if (approved) underWay.delete(verification.to)
      else underWay.set(verification.to, { ...verification, checks: verification.checks + 1 })
      return { type: 'checked', approved, verification }
    },

    counts: () => ({ ...counted }),
  }
}
