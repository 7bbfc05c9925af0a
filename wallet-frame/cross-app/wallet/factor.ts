/** Asks the user for their second factor. A passkey is asked where it is of this hostname: those of the dialog are not. */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import { type AssertionOptions, mfaRoutes } from '@latchkey/protocol/api'
import type { FactorAnswer } from '../../shares/ports.ts'
import type { FactorProblem, Show } from '../screen/state.ts'
import { answerOfUser, canceled } from '../screen/user-answer.ts'
import type { Session } from '../session/session.ts'

export type FactorPorts = {
  session: Pick<Session, 'api'>
  methods: () => readonly MfaMethodType[]
  /** Whether a passkey of the user's verification can be asked on this page. */
  canAskPasskeys: boolean
  askPasskey: (options: AssertionOptions) => Promise<Readonly<Record<string, unknown>>>
  show: Show
}

export function createFactor({ session, methods, canAskPasskeys, askPasskey, show }: FactorPorts) {
  let lastMethod: MfaMethodType | undefined

  /** Waits for its user; throws where they cancel. */
  return async (problem: FactorProblem | undefined, signal: AbortSignal): Promise<FactorAnswer> => {
    const usable = methods().filter((method) => method !== 'passkey' || canAskPasskeys)
    const [first] = usable
    if (first === undefined) {
      throw new LatchkeyError('missing_or_invalid_mfa', 'No method of verification can be asked on this page')
    }
    const given = await answerOfUser<FactorAnswer>(signal, (resolve, reject) => {
      let sentTo: string | undefined
      let passkey: Promise<{ relyingParty: string; options: AssertionOptions }> | undefined

      const cancel = () => reject(canceled())
      const isChoice = usable.length > 1

      function putChoice() {
        show({ status: 'factor-choice', methods: usable, choose: put, cancel })
      }

      function put(method: MfaMethodType, told?: FactorProblem) {
        lastMethod = method
        // It is there when its user presses: a browser asks for a passkey soon after a press alone.
        if (method === 'passkey') {
          passkey ??= session.api(mfaRoutes.beginPasskeyVerification, { signal }, {})
          passkey.catch(() => {})
        }
        show({
          status: 'factor',
          method,
          chooseOther: isChoice ? putChoice : undefined,
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
          put('sms')
        } catch (error) {
          put('sms', codeOf(error) === 'too_many_requests' ? 'too-many' : 'not-sent')
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
          put('passkey', 'not-given')
        }
      }

      // A problem belongs to the method that the user tried.
      if (isChoice && problem === undefined) putChoice()
      else put(usable.find((method) => method === lastMethod) ?? first, problem)
    })
    show({ status: 'working' })
    return given
  }
}

const codeOf = (error: unknown) => (error instanceof LatchkeyError ? error.code : undefined)
