/**
 * One change of the user's methods is one operation of the vault, so that a verification that one of its steps took
 * counts for the next.
 */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { CardHandle, FlowHandle } from '../../flow/flow.ts'
import type { ConfirmedRequest } from '../../wallet/confirmed.ts'
import type { WalletChannel } from '../../wallet/frame.ts'
import { isRetryable, type Operation, type StepData } from '../../wallet/operations.ts'
import type { VerifiedOptions } from '../../wallet/verification.ts'
import type { WalletEvent } from '../../wallet/wallet-obstacles.ts'
import type { MfaPorts } from './ports.ts'

export type TotpSecret = { secret: string; authUrl: string }
type Submission =
  | { method: 'totp'; code: string }
  | { method: 'sms'; code: string; phoneNumber: string }
  | { method: 'passkey'; credentialIds: string[] }

export type MethodChange = {
  beginTotp: () => Promise<TotpSecret>
  beginSms: (phoneNumber: string) => Promise<void>
  submit: (submission: Submission) => Promise<UserRecord>
  /** The confirmation says what the user approved. */
  unenroll: (method: 'totp' | 'sms', confirmation: ConfirmedRequest) => Promise<UserRecord>
  removePasskeys: (confirmation: ConfirmedRequest) => Promise<UserRecord>
  end: () => void
}

type ChangePorts = Pick<MfaPorts, 'wallet' | 'callWallet'>

export function createMethodChange(
  { wallet, callWallet }: ChangePorts,
  card: Pick<CardHandle, 'interrupt' | 'signal'>,
): MethodChange {
  const { signal } = card
  let begun: Promise<Operation> | undefined
  signal.addEventListener('abort', end, { once: true })

  function end() {
    begun?.then(wallet.end, () => {})
    begun = undefined
  }

  async function step<Answer>(
    run: Step<Answer>,
    verification: VerifiedOptions['verification'],
    confirmation?: ConfirmedRequest,
  ) {
    const operation = await beginOnce()
    try {
      const { data } = await wallet.requestToken(operation, 'mfa', null, {
        signal,
        confirmation: confirmation ?? null,
      })
      return await run(operation.channel, { ...data, ...verification })
    } catch (error) {
      if (isSpent(error)) end()
      throw error
    }
  }

  async function beginOnce(): Promise<Operation> {
    begun ??= wallet.begin({ signal })
    try {
      return await begun
    } catch (error) {
      begun = undefined
      throw error
    }
  }

  const call = <Answer>(
    event: WalletEvent,
    run: Step<Answer>,
    confirmation?: ConfirmedRequest,
  ): Promise<Answer> =>
    callWallet({
      event,
      card,
      async call(verification) {
        try {
          return await step(run, verification, confirmation)
        } catch (error) {
          if (!isRetryable(error)) throw error
          return step(run, verification, confirmation)
        }
      },
    })

  const submit = async (submission: Submission, confirmation?: ConfirmedRequest): Promise<UserRecord> =>
    (
      await call(
        'mfa:submit-enrollment',
        (channel, data) => channel.call('mfa:submit-enrollment', { ...data, ...submission }, { signal }),
        confirmation,
      )
    ).user

  return {
    async beginTotp() {
      const { secret, authUrl } = await call('mfa:init-enrollment', (channel, data) =>
        channel.call('mfa:init-enrollment', { ...data, method: 'totp' }, { signal }),
      )
      if (secret !== undefined && authUrl !== undefined) return { secret, authUrl }
      throw new LatchkeyError('invalid_data', 'The wallet gave no secret')
    },
    async beginSms(phoneNumber) {
      await call('mfa:init-enrollment', (channel, data) =>
        channel.call('mfa:init-enrollment', { ...data, method: 'sms', phoneNumber }, { signal }),
      )
    },
    submit: (submission) => submit(submission),
    removePasskeys: (confirmation) => submit({ method: 'passkey', credentialIds: [] }, confirmation),
    unenroll: async (method, confirmation) =>
      (
        await call(
          'mfa:unenroll',
          (channel, data) => channel.call('mfa:unenroll', { ...data, method }, { signal }),
          confirmation,
        )
      ).user,
    end,
  }
}

type Step<Answer> = (channel: WalletChannel, data: StepData) => Promise<Answer>

/** After these errors the operation does nothing more: it is gone, or was guessed at too often. */
const isSpent = (error: unknown) =>
  isRetryable(error) ||
  (error instanceof LatchkeyError && error.code === 'mfa_verification_max_attempts_reached')

/** The enrolment of a method gets a place on the card, and the change that it makes. */
export type Enrolling = {
  ports: MfaPorts
  card: FlowHandle<UserRecord>
  change: MethodChange
  /** The method verifies from now on. */
  added: (user: UserRecord) => void
}

/** Shows the first screen of the method, once there is what that shows. */
export type Enrol = (enrolling: Enrolling) => Promise<void>

/** A method with a code has two steps: what the code comes from, and the code. */
export const stepCount = 2
