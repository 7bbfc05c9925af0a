/** The host's page asks a wallet that it has connected, and that only the dialog reaches. The wallet shows what it is asked. */
import { LatchkeyError } from '@latchkey/protocol'
import type { HostCallAnswer, HostCallData } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../../contract/capability.ts'
import { done, exitCodes, type FlowHandle, failed, type RunningFlow } from '../../../flow/flow.ts'
import { screen } from '../../../flow/screen.ts'
import { awaitingConnectOnlyScreen } from '../screens.ts'
import type { HeldConnection, HeldConnections } from '../sources/held-connections.ts'

type Asked = HostCallData<'connectedWalletRequest'>
type Answer = HostCallAnswer<'connectedWalletRequest'>

export async function askConnected(
  ports: CapabilityPorts,
  held: HeldConnections,
  asked: Asked,
  signal: AbortSignal,
): Promise<Answer> {
  const connection = held.of(asked.address)
  if (!connection?.connector.isPresent?.()) {
    await held.end(asked.address).catch(() => {})
    throw new LatchkeyError('channel_closed', 'This wallet is no longer connected')
  }
  return ports.stage.begin((handle) => createRequestFlow(handle, connection, asked), signal)
}

function createRequestFlow(
  handle: FlowHandle<Answer>,
  { wallet, connector, appLink }: HeldConnection,
  { method, params }: Asked,
): RunningFlow<Answer> {
  const closed = () => failed(new LatchkeyError(exitCodes.approval, 'The user closed the dialog'))
  return {
    kind: 'approval',
    async run() {
      const step = { status: method === 'wallet_switchEthereumChain' ? 'switching' : 'request' } as const
      handle.go(
        screen(
          awaitingConnectOnlyScreen,
          { wallet, step, appLink },
          { retry() {}, other: handle.back, install() {} },
        ),
      )
      const result = await connector.request?.(method, params, { signal: handle.signal })
      handle.end(done({ result }))
    },
    onClose: closed,
    onBack: closed,
  }
}
