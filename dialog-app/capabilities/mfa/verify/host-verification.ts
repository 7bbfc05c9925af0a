/**
 * Verifications that the host page asks for itself. It receives the methods of the user, and submits the answers. They
 * run one after the other.
 */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import { type AssertionOptions, mfaRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { DialogServices } from '../../../app/services.ts'
import { type Cancellable, orAborted } from '../../../browser/waiting.ts'
import type { Verification } from '../../../wallet/verification.ts'
import { unsupportedMethod } from '../problem.ts'
import { type Attempts, createAttempts, type Perform } from './attempts.ts'

/** The data that the host needs to ask. For a passkey, it is the challenge. */
export type StartedVerification = { relyingParty?: string; options?: AssertionOptions }

export type HostVerification = {
  /** Waits for the answers of the host, after the pending verifications. */
  ask: <Answer>(
    methods: readonly MfaMethodType[],
    perform: Perform<Answer>,
    asker: Cancellable,
  ) => Promise<Answer>
  init: (method: unknown, asker: Cancellable) => Promise<StartedVerification>
  /** The answer is a code or an assertion. Rejects if it is not accepted. */
  submit: (method: unknown, answer: unknown) => Promise<void>
  cancel: () => void
}

type Present = {
  methods: readonly MfaMethodType[]
  attempts: Pick<Attempts<unknown>, 'submit' | 'cancel'>
  /** The relying party of the last challenge. */
  relyingParty?: string
}

export function createHostVerification({
  api,
  clock,
  tellPage,
}: Pick<DialogServices, 'api' | 'clock' | 'tellPage'>): HostVerification {
  let present: Present | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** Throws without a pending verification that accepts the method. */
  function requirePresent(name: unknown): { mine: Present; method: MfaMethodType } {
    if (!present) throw new LatchkeyError('unknown_mfa_error', 'No verification is waited for')
    const method = present.methods.find((each) => each === name)
    if (method === undefined) throw unsupportedMethod()
    return { mine: present, method }
  }

  async function askNow<Answer>(
    methods: readonly MfaMethodType[],
    perform: Perform<Answer>,
    { signal }: Cancellable,
  ): Promise<Answer> {
    const attempts = createAttempts(clock, perform)
    present = { methods, attempts }
    tellPage({ name: 'mfaRequired', data: { methods: [...methods] } })
    try {
      return await orAborted(attempts.outcome, signal)
    } finally {
      attempts.cancel()
      present = undefined
    }
  }

  return {
    ask(methods, perform, asker) {
      const outcome = last.then(() => askNow(methods, perform, asker))
      last = outcome.catch(() => {})
      return outcome
    },
    async init(name, asker) {
      const { mine, method } = requirePresent(name)
      switch (method) {
        case 'totp':
          return {}
        case 'sms':
          await api.call(mfaRoutes.sendMfaCode, { action: 'verify' }, asker)
          return {}
        case 'passkey': {
          const challenge = await api.call(mfaRoutes.beginPasskeyVerification, {}, asker)
          mine.relyingParty = challenge.relyingParty
          return challenge
        }
        default:
          return method satisfies never
      }
    },
    async submit(name, answer) {
      const { mine, method } = requirePresent(name)
      await mine.attempts.submit(toVerification(method, answer, mine.relyingParty))
    },
    cancel: () => present?.attempts.cancel(),
  }
}

const assertionSchema = v.record(v.string(), v.unknown())

/** A code is a string, and an assertion is an object. */
function toVerification(
  method: MfaMethodType,
  answer: unknown,
  relyingParty: string | undefined,
): Verification {
  if (method !== 'passkey') {
    if (typeof answer === 'string') return { mfaMethod: method, mfaCode: answer }
    throw new LatchkeyError('invalid_data', 'A code is a text')
  }
  if (!v.is(assertionSchema, answer)) {
    throw new LatchkeyError('invalid_data', 'A passkey answers with an object')
  }
  return { mfaMethod: method, mfaCode: answer, ...(relyingParty !== undefined && { relyingParty }) }
}
