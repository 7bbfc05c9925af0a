/** The host calls that create a wallet. */
import { findEmbeddedWallet, LatchkeyError } from '@latchkey/protocol'
import { solanaCalls, walletCreateCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { requireUser } from '../../host/require-user.ts'
import { appName, requiresRecoveryChoice } from '../../host/settings.ts'
import type { CreateUserWallet } from './creation.ts'
import type { SolanaCreation } from './solana-creation.ts'

export const createHostCalls = (
  ports: CapabilityPorts,
  creation: () => Promise<CreateUserWallet>,
  solanaCreation: () => Promise<SolanaCreation>,
): ServedHostCalls<keyof typeof walletCreateCalls | keyof typeof solanaCalls> => ({
  rows: { ...walletCreateCalls, ...solanaCalls },
  handlers: {
    ...createSolanaHandlers(ports, solanaCreation),
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
function createSolanaHandlers(
  ports: CapabilityPorts,
  loadCreation: () => Promise<SolanaCreation>,
): ServedHostCalls<keyof typeof solanaCalls>['handlers'] {
  return {
    async createSolanaWallet(_data, caller) {
      const user = await requireUser(ports, caller)
      if (!findEmbeddedWallet(user) && requiresRecoveryChoice(ports.settings())) throw noAutomaticRecovery()
      const solana = await ports.load(loadCreation)
      return { wallet: await solana.create(user, (flow) => ports.stage.begin(flow)) }
    },
    async solanaWallet({ announce }, caller) {
      const wallet = findEmbeddedWallet(await requireUser(ports, caller), 'solana')
      if (!wallet) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no Solana wallet')
      const settings = ports.settings()
      return {
        wallet,
        ...(Object.keys(settings.app.solanaRpcUrls).length > 0 && { signsTransactions: true as const }),
        ...(announce && { announced: { name: appName(settings) } }),
      }
    },
  }
}

const noAutomaticRecovery = () =>
  new LatchkeyError(
    'disallowed_recovery_method',
    'In this app the user chooses a recovery method, and a separate Solana wallet has automatic recovery only',
  )
