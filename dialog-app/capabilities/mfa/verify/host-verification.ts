/**
 * The host's page asks for a verification itself, where it wants to: it is told which methods there are, and brings the
 * answers. One is asked for at a time, and the next one when it is over.
 */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import { type AssertionOptions, mfaRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { DialogServices } from '../../../app/services.ts'
import { type Cancellable, orAborted } from '../../../browser/waiting.ts'
import type { Verification } from '../../../wallet/verification.ts'
import { unsupportedMethod } from '../problem.ts'
import { type Attempts, createAttempts, type Perform } from './attempts.ts'

/** The host needs this before it can ask: of a passkey, the challenge. */
export type StartedVerification = { relyingParty?: string; options?: AssertionOptions }

export type HostVerification = {
  /** Waits for the host's answers, after those that wait already. */
  ask: <Answer>(
    methods: readonly MfaMethodType[],
    perform: Perform<Answer>,
    asker: Cancellable,
  ) => Promise<Answer>
  init: (method: unknown, asker: Cancellable) => Promise<StartedVerification>
  /** The answer is digits, or what an authenticator answered. Rejects with why it was not taken. */
  submit: (method: unknown, answer: unknown) => Promise<void>
  cancel: () => void
}

type Present = {
  methods: readonly MfaMethodType[]
  attempts: Pick<Attempts<unknown>, 'submit' | 'cancel'>
  /** The challenge that the host was given last is of this one. */
  relyingParty?: string
}

export function createHostVerification({
  api,
  clock,
  tellPage,
}: Pick<DialogServices, 'api' | 'clock' | 'tellPage'>): HostVerification {
  let present: Present | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** A verification has to wait, and to take this method. */
  function required(given: unknown): { mine: Present; method: MfaMethodType } {
    if (!present) throw new LatchkeyError('unknown_mfa_error', 'No verification is waited for')
    const method = present.methods.find((each) => each === given)
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
      const asked = last.then(() => askNow(methods, perform, asker))
      last = asked.catch(() => {})
      return asked
    },
    async init(given, asker) {
      const { mine, method } = required(given)
      switch (method) {
        case 'totp':
          return {}
        case 'sms':
          await api.call(mfaRoutes.sendMfaCode, { action: 'verify' }, asker)
          return {}
        case 'passkey': {
          const begun = await api.call(mfaRoutes.beginPasskeyVerification, {}, asker)
          mine.relyingParty = begun.relyingParty
          return begun
        }
        default:
          return method satisfies never
      }
    },
    async submit(given, answer) {
      const { mine, method } = required(given)
      await mine.attempts.submit(verificationOf(method, answer, mine.relyingParty))
    },
    cancel: () => present?.attempts.cancel(),
  }
}

const assertionSchema = v.record(v.string(), v.unknown())

/** A code is a text, and what an authenticator answered is none. */
function verificationOf(
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
