/** The host's call `connectWallet`: a wallet for the page, and nobody logged in by it. */
import { dialogLimits, LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { HostCallAnswer, HostCallData } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../../contract/capability.ts'
import { type ConnectInProgress, entriesOf, type StartedMethod } from '../../../contract/login.ts'
import { done, exitCodes, type FlowHandle, failed, type RunningFlow } from '../../../flow/flow.ts'
import { screen, usablePart } from '../../../flow/screen.ts'
import { connectOnlyScreen, connectOnlyUserScreen } from '../screens.ts'
import type { WalletSources } from '../sources/sources.ts'
import { startConnecting } from './connecting.ts'

type Answer = HostCallAnswer<'connectWallet'>

export async function connectOnly(
  ports: CapabilityPorts,
  sources: WalletSources,
  { suggestedAddress }: HostCallData<'connectWallet'>,
  signal: AbortSignal,
): Promise<Answer> {
  const user = await ports.session.user({ signal })
  return ports.stage.begin(
    (handle) => createConnectFlow(ports, sources, handle, { user, suggestedAddress }),
    signal,
  )
}

type ConnectOnlyRequest = { user: UserRecord | null; suggestedAddress: string | undefined }

function createConnectFlow(
  ports: CapabilityPorts,
  sources: WalletSources,
  handle: FlowHandle<Answer>,
  { user, suggestedAddress }: ConnectOnlyRequest,
): RunningFlow<Answer> {
  const record = user ? connectOnlyUserScreen : connectOnlyScreen
  let started: StartedMethod | undefined
  /** The caller gets this where more is known than that its user left. */
  let problem: LatchkeyError | undefined

  function list() {
    const entries = started ? entriesOf(started) : []
    return screen(record, { entries, isUser: user !== null, suggestedAddress }, {})
  }

  const progress: ConnectInProgress = {
    card: handle,
    wanted: suggestedAddress,
    goesOn: true,
    entry: (part, state, handlers) => usablePart(part, state, handlers, () => handle.isUsable(record)),
    chosen() {
      problem = undefined
    },
    refreshEntry: () => handle.update(list()),
    failed(error) {
      problem = error
    },
    connected(wallet) {
      handle.settle(done({ wallet }))
      handle.hold(dialogLimits.successCloseMs).then(() => handle.end())
    },
    startOver: () => handle.restart(list()),
    leave: () => handle.end(),
  }

  return {
    kind: 'connect',
    async run() {
      started = await startConnecting(ports, sources, progress)
      handle.go(list())
    },
    onClose: () => failed(problem ?? new LatchkeyError(exitCodes.link, 'The user closed the dialog')),
  }
}
