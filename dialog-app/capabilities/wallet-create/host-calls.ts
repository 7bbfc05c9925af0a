/** The host's calls that make a wallet. */
import { LatchkeyError } from '@latchkey/protocol'
import { solanaCalls, walletCreateCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MoreServed } from '../../host/host-calls.ts'
import { requireUser } from '../../host/require-user.ts'
import { recoveryIsChosen } from '../../host/settings.ts'
import type { CreateUserWallet } from './creation.ts'
import { createSolanaHandlers } from './solana-calls.ts'

export const createHostCalls = (
  ports: CapabilityPorts,
  creation: () => Promise<CreateUserWallet>,
): MoreServed<keyof typeof walletCreateCalls | keyof typeof solanaCalls> => ({
  rows: { ...walletCreateCalls, ...solanaCalls },
  handlers: {
    ...createSolanaHandlers(ports),
    async createWallet(_data, caller) {
      await requireUser(ports, caller)
      if (recoveryIsChosen(ports.settings())) throw choiceNeeded()
      const create = await ports.load(creation)
      return { wallet: await create('host') }
    },
  },
})

/** A call without a card can ask nobody. */
const choiceNeeded = () =>
  new LatchkeyError(
    'disallowed_recovery_method',
    'In this app the user says first how a wallet is kept: setWalletRecovery() asks, and makes it',
  )
