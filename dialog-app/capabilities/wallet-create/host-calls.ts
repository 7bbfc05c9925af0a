/** The host's call `createWallet`. */
import { walletCreateCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { MoreServed } from '../../core/host-calls.ts'
import { requireUser } from '../../core/require-user.ts'
import type { CreateUserWallet } from './creation.ts'

export const createHostCalls = (
  ports: CapabilityPorts,
  creation: () => Promise<CreateUserWallet>,
): MoreServed<keyof typeof walletCreateCalls> => ({
  rows: walletCreateCalls,
  handlers: {
    async createWallet(_data, caller) {
      await requireUser(ports, caller)
      const create = await ports.load(creation)
      return { wallet: await create('host') }
    },
  },
})
