/** Passes a request of the host page to a connected wallet that only the dialog reaches. The wallet shows the request. */
import { LatchkeyError } from '@latchkey/protocol'
import type { HostCallAnswer, HostCallData } from '@latchkey/protocol/host'
import { createCall } from '../../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../../contract/capability.ts'
import { exitCodes, failed } from '../../../flow/flow.ts'
import { requestScreen } from '../screens.ts'
import type { HeldConnections } from '../sources/held-connections.ts'

type Answer = HostCallAnswer<'connectedWalletRequest'>

export async function askConnected(
  ports: CapabilityPorts,
  held: HeldConnections,
  { address, method, params }: HostCallData<'connectedWalletRequest'>,
  signal: AbortSignal,
): Promise<Answer> {
  const connection = held.of(address)
  if (!connection?.connector.isPresent?.()) {
    await held.end(address).catch(() => {})
    throw new LatchkeyError('channel_closed', 'This wallet is no longer connected')
  }
  const { wallet, connector, appLink } = connection
  const status = method === 'wallet_switchEthereumChain' ? 'switching' : 'request'
  const call = createCall<Answer>(
    ports,
    {
      kind: 'approval',
      onClose: () => failed(new LatchkeyError(exitCodes.approval, 'The user closed the dialog')),
    },
    async (screens) => {
      void screens.open(requestScreen, { wallet, status, appLink })
      const { signal } = screens
      return { result: await connector.request?.(method, params, { signal }) }
    },
  )
  return ports.stage.begin(call, signal)
}
