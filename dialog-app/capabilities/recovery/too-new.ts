/**
 * The server opens no wallet on a new device, and takes no approval, for a method that its user added lately. The screen
 * says until when. A user with an older method logs in or verifies with it in the same card, and the call goes on.
 */
import { type LatchkeyError, type LinkedAccount, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import * as v from 'valibot'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, exitCodes, type Flow, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import type { Remedy, WalletEvent } from '../../wallet/wallet-obstacles.ts'
import { tooNewScreen } from './screens.ts'
import type { TooNewState } from './too-new-screen.tsx'

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

const approvals: ReadonlySet<WalletEvent> = new Set([
  'wallet:rpc',
  'solana-wallet:rpc',
  'farcaster:init-signer',
  'farcaster:sign',
])

/**
 * Makes a signing call again once its user has shown an older method. An approval belongs to its session, so after a
 * login the user approves once more.
 */
export const showOlderMethod = (ports: Ports): Remedy => ({
  obstacle: 'method_too_new',
  helps: ({ event }) => approvals.has(event),
  async overcome(call, callWallet, refusal) {
    if (refusal) await call.card.interrupt(sayTooNew(ports, refusal, 'approval'))
    return callWallet(call)
  },
})

/** The flow ends once the call may be made again. */
export const sayTooNew =
  ({ clock, session, logInAgain }: Ports, error: LatchkeyError, blocks: TooNewState['blocks']): Flow<void> =>
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
              blocks,
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

/**
 * Tells which methods to offer; the server decides, by ids where this goes by times. Without `hours` in the refusal, only
 * the sign-up account counts.
 */
function countsFor(user: UserRecord | undefined, hours: number | undefined, nowSeconds: number) {
  const since = (seconds: number) =>
    seconds === user?.createdAt || (hours !== undefined && seconds + hours * 3_600 <= nowSeconds)
  const account = (one: LinkedAccount) =>
    !(one.type === 'wallet' && one.connectorType === 'embedded') &&
    one.firstVerifiedAt !== null &&
    since(one.firstVerifiedAt)
  return { since, account }
}
