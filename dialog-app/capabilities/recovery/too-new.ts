/**
 * The server opens no wallet on a new device, and accepts no approval, for a recently added method. The screen shows until
 * when. A user with an older method logs in or verifies with it in the same card, and the call continues.
 */
import type { LatchkeyError, LinkedAccount, UserRecord } from '@latchkey/protocol'
import * as v from 'valibot'
import { createCall } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { type Flow, failed } from '../../flow/flow.ts'
import type { Remedy, WalletEvent } from '../../wallet/wallet-obstacles.ts'
import { tooNewScreen } from './screens.ts'
import type { TooNew } from './too-new-screen.tsx'

const refusal = v.object({ until: v.nullable(v.number()), hours: v.exactOptional(v.number()) })
/** In the details of a wallet frame error, or one level deeper in a dialog error (`readApiProblem`). */
const refusals = v.union([
  refusal,
  v.pipe(
    v.object({ details: refusal }),
    v.transform(({ details }) => details),
  ),
])

type Services = DialogServices & Pick<CapabilityPorts, 'logInAgain'>

const approvals: ReadonlySet<WalletEvent> = new Set([
  'wallet:rpc',
  'solana-wallet:rpc',
  'farcaster:init-signer',
  'farcaster:sign',
])

/**
 * Retries a signing call after the user logged in or verified with an older method. An approval belongs to its session,
 * so the user approves again after a login.
 */
export const showOlderMethod = (services: Services): Remedy => ({
  obstacle: 'method_too_new',
  helps: ({ event }) => approvals.has(event),
  async overcome(call, callWallet, refusal) {
    if (refusal) await call.card.interrupt(sayTooNew(services, refusal, 'approval'))
    return callWallet(call)
  },
})

/** Resolves when the call may be repeated. Rejects with the refusal if the user leaves. */
export const sayTooNew = (services: Services, error: LatchkeyError, blocks: TooNew['blocks']): Flow<void> =>
  createCall<void>(
    services,
    { kind: 'recovery', onClose: () => failed(error) },
    async ({ open, interrupt, signal }) => {
      const { clock, session, logInAgain } = services
      const details = v.safeParse(refusals, error.details)
      const { until, hours } = details.success ? details.output : { until: null, hours: undefined }
      const state = session.state()
      const user = state.status === 'authenticated' ? state.user : undefined
      const counts = countsFor(user, hours, clock.nowMs() / 1_000)
      await open(tooNewScreen, {
        tooNew: {
          blocks,
          untilSeconds: until ?? undefined,
          canLogIn: user?.linkedAccounts.some(counts.account) ?? false,
          canVerify: user?.mfaMethods.some(({ verifiedAt }) => counts.since(verifiedAt)) ?? false,
        },
        logIn: () => logInAgain({ interrupt, signal }, { because: 'too new', isOne: counts.account }),
      })
    },
  )

/**
 * Returns which methods are old enough to offer, by their verification times. The server decides by their ids. Without
 * `hours` in the refusal, only the sign-up account counts.
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
