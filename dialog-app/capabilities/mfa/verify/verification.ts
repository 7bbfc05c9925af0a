/**
 * Asks the user for a second factor that a pending call needs. Each answer makes the call. A wrong answer is shown here,
 * and the verification resolves with the answer of the call.
 */
import { type MfaMethodType, toLatchkeyError } from '@latchkey/protocol'
import { createCall } from '../../../app/screen-stack.ts'
import { type Flow, failed } from '../../../flow/flow.ts'
import type { MfaPorts } from '../ports.ts'
import { canceled, isLimit } from '../problem.ts'
import { verifyCodeScreen, verifyPasskeyScreen } from '../screens.ts'
import { type Attempts, createAttempts, type Perform } from './attempts.ts'
import { createLastUsedMethod } from './last-used-method.ts'

/** The verification, as its screens share it. */
export type PendingVerification = Pick<Attempts<unknown>, 'submit' | 'isOver' | 'outcome'> & {
  ports: VerificationPorts
  methods: readonly MfaMethodType[]
}

type VerificationPorts = Pick<MfaPorts, 'authenticator'>
type CallPorts = Omit<MfaPorts, 'callWallet'>

export const verify =
  <Answer>(ports: CallPorts, methods: readonly MfaMethodType[], perform: Perform<Answer>): Flow<Answer> =>
  (handle) => {
    const attempts = createAttempts(ports.clock, perform)
    const lastUsed = createLastUsedMethod(ports)
    const verification: PendingVerification = {
      ...attempts,
      ports,
      methods,
      async submit(answer) {
        await attempts.submit(answer)
        lastUsed.write(answer.mfaMethod)
      },
    }
    const cancelAndFail = () => {
      attempts.cancel()
      return failed(canceled())
    }

    return createCall<Answer>(
      ports,
      { kind: 'verification', onClose: cancelAndFail, onBack: cancelAndFail },
      async ({ open, settle, signal }) => {
        signal.addEventListener('abort', attempts.cancel)

        /** Opens one method after the other, until the call ends. */
        async function askMethods(): Promise<never> {
          let method = lastUsed.find(methods)
          while (method) {
            method =
              method === 'passkey'
                ? await open(verifyPasskeyScreen, { verification })
                : await open(verifyCodeScreen, { verification, method })
          }
          throw canceled()
        }

        const asking = askMethods()
        try {
          return await Promise.race([attempts.outcome, asking])
        } catch (cause) {
          const error = toLatchkeyError(cause, 'unknown_mfa_error', 'The verification failed')
          if (!isLimit(error)) throw error
          settle(failed(error))
          // The screen shows the limit until the user leaves it.
          return asking
        }
      },
    )(handle)
  }
