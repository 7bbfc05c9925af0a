/**
 * A verification that the host's page asks for itself, where it wants to: it is told which methods there are, and
 * brings the answers. One at a time; the next one is asked for when this one is over.
 */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import { type AssertionOptions, mfaRoutes } from '@latchkey/protocol/api'
import type { FlowPorts } from '../../../core/ports.ts'
import { type Cancellable, orAborted } from '../../../waiting.ts'
import type { Verification } from '../../../wallet/verification.ts'
import { type Attempts, createAttempts, type Perform } from '../attempts.ts'
import { unsupportedMethod } from '../problem.ts'

export type HostAnswer = {
  readonly method: MfaMethodType
  /** Digits, or what an authenticator answered. */
  readonly answer: string | Readonly<Record<string, unknown>>
}
/** What the host needs before it can ask: of a passkey, the challenge. */
export type Begun = { readonly relyingParty?: string; readonly options?: AssertionOptions }

export type HostVerification = {
  /** Waits for the host's answers, after those that wait already. */
  readonly ask: <Answer>(
    methods: readonly MfaMethodType[],
    perform: Perform<Answer>,
    asker: Cancellable,
  ) => Promise<Answer>
  readonly init: (method: MfaMethodType, asker: Cancellable) => Promise<Begun>
  /** Rejects with why it was not taken. */
  readonly submit: (answer: HostAnswer) => Promise<void>
  readonly cancel: () => void
}

type Present = {
  readonly methods: readonly MfaMethodType[]
  readonly attempts: Pick<Attempts<unknown>, 'submit' | 'cancel'>
  /** Of the challenge that the host was given last. */
  relyingParty?: string
}

export function createHostVerification(
  { api, clock }: Pick<FlowPorts, 'api' | 'clock'>,
  tell: (methods: readonly MfaMethodType[]) => void,
): HostVerification {
  let present: Present | undefined
  let last: Promise<unknown> = Promise.resolve()

  function required(method?: MfaMethodType): Present {
    if (!present) throw new LatchkeyError('unknown_mfa_error', 'No verification is waited for')
    if (method !== undefined && !present.methods.includes(method)) throw unsupportedMethod()
    return present
  }

  async function askNow<Answer>(
    methods: readonly MfaMethodType[],
    perform: Perform<Answer>,
    { signal }: Cancellable,
  ): Promise<Answer> {
    const attempts = createAttempts(clock, perform)
    present = { methods, attempts }
    tell(methods)
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
    async init(method, asker) {
      const mine = required(method)
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
    async submit(given) {
      const { attempts, relyingParty } = required(given.method)
      await attempts.submit(verificationOf(given, relyingParty))
    },
    cancel: () => present?.attempts.cancel(),
  }
}

/** A code is a text, and what an authenticator answered is none. */
function verificationOf({ method, answer }: HostAnswer, relyingParty: string | undefined): Verification {
  if ((typeof answer === 'string') === (method === 'passkey')) {
    throw new LatchkeyError(
      'invalid_data',
      method === 'passkey' ? 'A passkey answers with no text' : 'A code is a text',
    )
  }
  return { mfaMethod: method, mfaCode: answer, ...(relyingParty !== undefined && { relyingParty }) }
}
