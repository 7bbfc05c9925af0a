/** Asks the user for a second factor. Passkeys are offered only if this hostname may use them. */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import { type AssertionOptions, mfaRoutes } from '@latchkey/protocol/api'
import type { FactorAnswer } from '../../shares/ports.ts'
import type { FactorProblem, Show } from '../screen/state.ts'
import { canceled, waitForUser } from '../screen/user-answer.ts'
import type { Session } from '../session/session.ts'

export type FactorPorts = {
  session: Pick<Session, 'api'>
  methods: () => readonly MfaMethodType[]
  /** Whether this page may use the passkeys of the user's second factor. */
  canAskPasskeys: boolean
  askPasskey: (options: AssertionOptions) => Promise<Readonly<Record<string, unknown>>>
  show: Show
}

export function createFactor({ session, methods, canAskPasskeys, askPasskey, show }: FactorPorts) {
  let lastMethod: MfaMethodType | undefined

  /** Waits for the user's answer. Throws if the user cancels. */
  return async (problem: FactorProblem | undefined, signal: AbortSignal): Promise<FactorAnswer> => {
    const usable = methods().filter((method) => method !== 'passkey' || canAskPasskeys)
    const [first] = usable
    if (first === undefined) {
      throw new LatchkeyError('missing_or_invalid_mfa', 'No second factor of the user works on this page')
    }
    const answer = await waitForUser<FactorAnswer>(signal, (resolve, reject) => {
      let sentTo: string | undefined
      let passkey: Promise<{ relyingParty: string; options: AssertionOptions }> | undefined

      const cancel = () => reject(canceled())
      const isChoice = usable.length > 1

      function showChoice() {
        show({ status: 'factor-choice', methods: usable, choose: showMethod, cancel })
      }

      function showMethod(method: MfaMethodType, told?: FactorProblem) {
        lastMethod = method
        // Loads the options before the press, because browsers only prompt for a passkey soon after a press.
        if (method === 'passkey') {
          passkey ??= session.api(mfaRoutes.beginPasskeyVerification, { signal }, {})
          passkey.catch(() => {})
        }
        show({
          status: 'factor',
          method,
          chooseOther: isChoice ? showChoice : undefined,
          sentTo,
          problem: told,
          sendCode: () => void sendCode(),
          giveCode: (mfaCode) => resolve({ mfaMethod: method, mfaCode }),
          askPasskey: () => void prove(),
          cancel,
        })
      }

      async function sendCode() {
        try {
          sentTo = (await session.api(mfaRoutes.sendMfaCode, { signal }, { action: 'verify' })).sentTo
          showMethod('sms')
        } catch (error) {
          showMethod('sms', getErrorCode(error) === 'too_many_requests' ? 'too-many' : 'not-sent')
        }
      }

      async function prove() {
        try {
          const { relyingParty, options } = (await passkey) ?? {}
          if (options === undefined || relyingParty === undefined) return
          passkey = undefined
          show({ status: 'prompt' })
          resolve({ mfaMethod: 'passkey', mfaCode: await askPasskey(options), relyingParty })
        } catch {
          passkey = undefined
          showMethod('passkey', 'not-given')
        }
      }

      // A problem belongs to the method that the user tried.
      if (isChoice && problem === undefined) showChoice()
      else showMethod(usable.find((method) => method === lastMethod) ?? first, problem)
    })
    show({ status: 'working' })
    return answer
  }
}

const getErrorCode = (error: unknown) => (error instanceof LatchkeyError ? error.code : undefined)
