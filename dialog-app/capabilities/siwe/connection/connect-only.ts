/** Serves the host call `connectWallet`: connects a wallet for the page without a login. */
import { dialogLimits, LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { HostCallAnswer, HostCallData } from '@latchkey/protocol/host'
import { createCall } from '../../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../../contract/capability.ts'
import { done, exitCodes, type Flow, failed } from '../../../flow/flow.ts'
import { connectOnlyScreen, connectOnlyUserScreen } from '../screens.ts'
import type { WalletSources } from '../sources/sources.ts'
import { createConnectChoice } from './connect-wallet.ts'

type Answer = HostCallAnswer<'connectWallet'>

export async function connectOnly(
  ports: CapabilityPorts,
  sources: WalletSources,
  { suggestedAddress }: HostCallData<'connectWallet'>,
  signal: AbortSignal,
): Promise<Answer> {
  const user = await ports.session.user({ signal })
  return ports.stage.begin(createConnectCall(ports, sources, user, suggestedAddress), signal)
}

function createConnectCall(
  ports: CapabilityPorts,
  sources: WalletSources,
  user: UserRecord | null,
  suggestedAddress: string | undefined,
): Flow<Answer> {
  /** The error of a close after a failure. */
  let problem: LatchkeyError | undefined

  return createCall<Answer>(
    ports,
    {
      kind: 'connect',
      onClose: () => failed(problem ?? new LatchkeyError(exitCodes.link, 'The user closed the dialog')),
    },
    async ({ open, settle, hold }) => {
      const looking = sources.look(suggestedAddress)
      await sources.briefly(looking)
      const wallet = await open(user ? connectOnlyUserScreen : connectOnlyScreen, {
        sources,
        looking,
        isUser: user !== null,
        suggestedAddress,
        createChoice: (card, { resolve, leave }) =>
          createConnectChoice(ports, sources, {
            card,
            wanted: suggestedAddress,
            isHeld: true,
            chosen() {
              problem = undefined
            },
            failed(error) {
              problem = error
            },
            connected: resolve,
            startOver: card.back,
            leave,
          }),
      })
      settle(done({ wallet }))
      await hold(dialogLimits.successCloseMs)
      return { wallet }
    },
  )
}
