/**
 * The server opens no wallet on a new device for what came to its user only lately. That is said, and until when; who has
 * something older logs in or verifies with that right here, and the call goes on.
 */
import { type LatchkeyError, type LinkedAccount, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import * as v from 'valibot'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, exitCodes, type Flow, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { tooNewScreen } from './screens.ts'

const refusal = v.object({ until: v.nullable(v.number()), hours: v.exactOptional(v.number()) })
/** The wallet frame has it in its details, and the dialog one level below (`readApiProblem`). */
const refusals = v.union([
  refusal,
  v.pipe(
    v.object({ details: refusal }),
    v.transform(({ details }) => details),
  ),
])

type Ports = Pick<CapabilityPorts, 'clock' | 'session' | 'logInAgain'>

/** The flow ends once the call may be made again. */
export const sayTooNew =
  ({ clock, session, logInAgain }: Ports, error: LatchkeyError): Flow<void> =>
  (handle) => {
    const told = v.safeParse(refusals, error.details)
    const { until, hours } = told.success ? told.output : { until: null, hours: undefined }
    const state = session.state()
    const user = state.status === 'authenticated' ? state.user : undefined
    const counts = countsFor(user, hours, clock.nowMs() / 1_000)

    async function logIn() {
      try {
        await logInAgain(handle, { because: 'too new', isOne: counts.account })
        handle.end(done(undefined))
      } catch (cause) {
        const problem = toLatchkeyError(cause, 'error', '')
        // Who gave that up is here again; nothing goes on for somebody else who came in.
        if (problem.code !== exitCodes.login) handle.end(failed(problem))
      }
    }
    return {
      kind: 'recovery',
      run() {
        handle.replace(
          screen(
            tooNewScreen,
            {
              untilSeconds: until ?? undefined,
              canLogIn: user?.linkedAccounts.some(counts.account) ?? false,
              canVerify: user?.mfaMethods.some(({ verifiedAt }) => counts.since(verifiedAt)) ?? false,
            },
            {
              logIn: () => void logIn(),
              verify: () => handle.end(done(undefined)),
              back: () => handle.end(failed(error)),
            },
          ),
        )
      },
      onClose: () => failed(error),
    }
  }

/** Judges as the server does; without a time that it says, what a user began with counts, and nothing else. */
function countsFor(user: UserRecord | undefined, hours: number | undefined, nowSeconds: number) {
  const since = (seconds: number) =>
    seconds === user?.createdAt || (hours !== undefined && seconds + hours * 3_600 <= nowSeconds)
  const account = (one: LinkedAccount) =>
    !(one.type === 'wallet' && one.connectorType === 'embedded') &&
    one.firstVerifiedAt !== null &&
    since(one.firstVerifiedAt)
  return { since, account }
}
