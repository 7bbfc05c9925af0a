/**
 * Changes the user's verification methods. Each change is one operation of the vault, so that a verification of one step
 * is valid for the next.
 */
import { LatchkeyError, type MfaMethodType, type UserRecord } from '@latchkey/protocol'
import type { CardHandle } from '../../flow/flow.ts'
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

/** The screen in front: a verification interrupts it, and the steps end with it. */
type Front = Pick<CardHandle, 'interrupt' | 'signal'>

export type MethodChange = {
  beginTotp: (card: Front) => Promise<TotpSecret>
  beginSms: (phoneNumber: string, card: Front) => Promise<void>
  submit: (submission: Submission, card: Front) => Promise<UserRecord>
  /** Removes a method. The confirmation proves the user's approval. */
  remove: (method: MfaMethodType, confirmation: ConfirmedRequest, card: Front) => Promise<UserRecord>
  end: () => void
}

type ChangePorts = Pick<MfaPorts, 'wallet' | 'callWallet'>

export function createMethodChange({ wallet, callWallet }: ChangePorts): MethodChange {
  let opening: Promise<Operation> | undefined

  function end() {
    opening?.then(wallet.end, () => {})
    opening = undefined
  }

  async function step<Answer>(
    { signal }: Front,
    run: Step<Answer>,
    verification: VerifiedOptions['verification'],
    confirmation?: ConfirmedRequest,
  ) {
    const operation = await beginOnce(signal)
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

  async function beginOnce(signal: AbortSignal): Promise<Operation> {
    opening ??= wallet.begin({ signal })
    try {
      return await opening
    } catch (error) {
      opening = undefined
      throw error
    }
  }

  const call = <Answer>(
    event: WalletEvent,
    card: Front,
    run: Step<Answer>,
    confirmation?: ConfirmedRequest,
  ): Promise<Answer> =>
    callWallet({
      event,
      card,
      async call(verification) {
        try {
          return await step(card, run, verification, confirmation)
        } catch (error) {
          if (!isRetryable(error)) throw error
          return step(card, run, verification, confirmation)
        }
      },
    })

  const submit = async (
    submission: Submission,
    card: Front,
    confirmation?: ConfirmedRequest,
  ): Promise<UserRecord> =>
    (
      await call(
        'mfa:submit-enrollment',
        card,
        (channel, data) => channel.call('mfa:submit-enrollment', { ...data, ...submission }, card),
        confirmation,
      )
    ).user

  return {
    async beginTotp(card) {
      const { secret, authUrl } = await call('mfa:init-enrollment', card, (channel, data) =>
        channel.call('mfa:init-enrollment', { ...data, method: 'totp' }, card),
      )
      if (secret !== undefined && authUrl !== undefined) return { secret, authUrl }
      throw new LatchkeyError('invalid_data', 'The wallet gave no secret')
    },
    async beginSms(phoneNumber, card) {
      await call('mfa:init-enrollment', card, (channel, data) =>
        channel.call('mfa:init-enrollment', { ...data, method: 'sms', phoneNumber }, card),
      )
    },
    submit: (submission, card) => submit(submission, card),
    async remove(method, confirmation, card) {
      if (method === 'passkey') return submit({ method, credentialIds: [] }, card, confirmation)
      const { user } = await call(
        'mfa:unenroll',
        card,
        (channel, data) => channel.call('mfa:unenroll', { ...data, method }, card),
        confirmation,
      )
      return user
    },
    end,
  }
}

type Step<Answer> = (channel: WalletChannel, data: StepData) => Promise<Answer>

/** After these errors the operation does nothing more: it is gone, or was guessed at too often. */
const isSpent = (error: unknown) =>
  isRetryable(error) ||
  (error instanceof LatchkeyError && error.code === 'mfa_verification_max_attempts_reached')
