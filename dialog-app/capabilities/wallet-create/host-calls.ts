/** The host calls that create a wallet. */
import { findEmbeddedWallet, LatchkeyError } from '@latchkey/protocol'
import { solanaCalls, walletCreateCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName, requiresRecoveryChoice } from '../../host/settings.ts'
import type { CreateUserWallet } from './creation.ts'
import { createSolanaCreation } from './solana-creation.ts'

export const createHostCalls = (
  ports: CapabilityPorts,
  creation: () => Promise<CreateUserWallet>,
): ServedHostCalls<keyof typeof walletCreateCalls | keyof typeof solanaCalls> => ({
  rows: { ...walletCreateCalls, ...solanaCalls },
  handlers: {
    ...createSolanaHandlers(ports),
    async createWallet(_data, caller) {
      await requireUser(ports, caller)
      if (requiresRecoveryChoice(ports.settings())) throw choiceNeeded()
      const create = await ports.load(creation)
      return { wallet: await create('host') }
    },
  },
})

/** The call has no card, so the user cannot choose a recovery method. */
const choiceNeeded = () =>
  new LatchkeyError(
    'disallowed_recovery_method',
    'In this app the user says first how a wallet is kept: setWalletRecovery() asks, and makes it',
  )

/** The host calls `createSolanaWallet` and, for the host's provider, `solanaWallet`. */
function createSolanaHandlers(ports: CapabilityPorts): ServedHostCalls<keyof typeof solanaCalls>['handlers'] {
  const create = createSolanaCreation(ports)
  return {
    async createSolanaWallet(_data, caller) {
      const user = await requireUser(ports, caller)
      if (requiresRecoveryChoice(ports.settings())) throw noAutomaticRecovery()
      return { wallet: await create(user) }
    },
    async solanaWallet({ announce }, caller) {
      const wallet = findEmbeddedWallet(await requireUser(ports, caller), 'solana')
      if (!wallet) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no Solana wallet')
      return { wallet, ...(announce && { announced: { name: appName(ports.settings()) } }) }
    },
  }
}

const noAutomaticRecovery = () =>
  new LatchkeyError(
    'disallowed_recovery_method',
    'In this app the user says how a wallet is kept, and a Solana wallet is recovered automatically',
  )
