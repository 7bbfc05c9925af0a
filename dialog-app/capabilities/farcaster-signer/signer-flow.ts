/**
 * Has the user approve, on their phone, that this app writes for their Farcaster account. `signer-state.ts` decides what
 * comes next; this does it.
 */
import { dialogLimits } from '@latchkey/protocol'
import { farcasterSignerRoutes, type RouteOutput, signerLimits, userRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { FlowHandle, RunningFlow } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen } from '../../flow/screen.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName } from '../../host/settings.ts'
import { pollPhone } from '../../phone-app/phone-poll.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import { requireAccounts, type SignerAccounts } from './accounts.ts'
import { signerScreen } from './screens.ts'
import {
  type ApprovedSigner,
  endingOfClose,
  revoked,
  type SignerEffect,
  type SignerEvent,
  type SignerPhase,
  type SignerState,
  shownSigner,
  signerStep,
  unapproved,
} from './signer-state.ts'
import { initSigner } from './wallet-calls.ts'

type Status = RouteOutput<typeof farcasterSignerRoutes.signerStatus>
type Ports = Pick<CapabilityPorts, 'api' | 'clock' | 'remedies' | 'session' | 'settings' | 'wallet'>

export function createSignerFlow(
  ports: Ports,
  { isPhone }: { isPhone: boolean },
  handle: FlowHandle<ApprovedSigner>,
): RunningFlow<ApprovedSigner> {
  const { api, clock, session, settings, wallet } = ports
  const { signal } = handle
  const callWallet = createWalletCalls(ports.remedies)

  const machine = createMachine<SignerState, SignerEvent, SignerEffect>({
    initial: unapproved,
    step: signerStep,
    draw: ({ phase }) => draw(phase),
    ...partOf(handle),
    effects: {
      async 'find accounts'() {
        const accounts = requireAccounts(await requireUser(ports, handle))
        return { type: 'found', accounts, approved: await approvedBefore(accounts) }
      },
      make: ({ accounts }) => orFailed(async () => ({ type: 'made', signer: await init(accounts) })),
      poll: ({ signer }) => orFailed(() => poll(signer)),
      async 'read user'() {
        // The account has the key now. A page that hears of it later has lost nothing.
        await api.call(userRoutes.me, undefined, { signal }).then(session.replaceUser, () => {})
        return { type: 'user read' }
      },
      settle: ({ ending }) => handle.settle(ending),
      hold: () => handle.hold(dialogLimits.successCloseMs).then(() => handle.end()),
      end: ({ ending }) => handle.end(ending),
    },
  })

  async function orFailed(run: () => Promise<SignerEvent | undefined>): Promise<SignerEvent | undefined> {
    try {
      return await run()
    } catch (cause) {
      return { type: 'failed', cause }
    }
  }

  function draw(phase: SignerPhase) {
    const step = shownSigner(phase, isPhone)
    if (!step) return
    const view = screen(
      signerScreen,
      { appName: appName(settings()), ...step },
      { retry: () => machine.send({ type: 'retry' }), leave: () => handle.end() },
    )
    if (handle.isAt(signerScreen)) handle.update(view)
    else handle.replace(view)
  }

  /** Whatever else comes of it is found again, and said, where the user is asked. */
  async function approvedBefore({ publicKey, fid }: SignerAccounts): Promise<ApprovedSigner | undefined> {
    if (publicKey === undefined) return undefined
    const said = await statusOf(publicKey).catch(() => undefined)
    return said?.status === 'approved' ? { publicKey, fid } : undefined
  }

  const statusOf = (ed25519PublicKey: string): Promise<Status> =>
    api.call(farcasterSignerRoutes.signerStatus, { ed25519PublicKey }, { signal })

  const init = (accounts: SignerAccounts) =>
    callWallet({
      event: 'farcaster:init-signer',
      account: accounts.wallet,
      card: handle,
      call: (verification) => initSigner(wallet, accounts.wallet.address, { signal, verification }),
    })

  async function poll(signer: ApprovedSigner): Promise<SignerEvent | undefined> {
    const approved = await pollPhone({
      clock,
      ...signerLimits,
      signal,
      isPresent: () => !signal.aborted,
      async ask() {
        const { status } = await statusOf(signer.publicKey)
        if (status === 'revoked') throw revoked()
        return status === 'approved' ? signer : undefined
      },
    })
    return approved && { type: 'approved', signer: approved }
  }

  return {
    kind: 'approval',
    run: () => machine.send({ type: 'begin' }),
    onClose: () => endingOfClose(machine.state()),
  }
}
