/** Starts a funding for the host call `fundWallet`, for the account entry, and for a transaction that lacks funds. */
import { isSameAddress, LatchkeyError } from '@latchkey/protocol'
import { fundingDisabledMessage, fundProvider, unsupportedFundProvider } from '@latchkey/protocol/api'
import { fundingCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { AddFunds } from '../../contract/funds.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import type { Flow } from '../../flow/flow.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { requireUser } from '../../host/require-user.ts'
import { hasFunding } from '../../host/settings.ts'
import { type FundingBrowser, ownBrowser } from './browser.ts'
import { createFundingCall } from './funding-call.ts'
import type { Funded } from './payment.ts'

export type FundingCalls = ServedHostCalls<keyof typeof fundingCalls> & {
  addFunds: AddFunds
  /** The call of the account entry. */
  receive: (wallet: { address: string; userId: string }) => Flow<Funded>
}

export function createFundingCalls(
  ports: CapabilityPorts,
  browser: Partial<FundingBrowser> = {},
): FundingCalls {
  const own = { ...ports, ...ownBrowser, ...browser }
  const begin = createUserFlows(ports)

  return {
    rows: fundingCalls,
    handlers: {
      async fundWallet({ address, provider, config }, { signal }) {
        const user = await requireUser(ports, { signal })
        if (!hasFunding(ports.settings())) throw new LatchkeyError('not_supported', fundingDisabledMessage)
        if (provider !== fundProvider) {
          throw new LatchkeyError('not_supported', unsupportedFundProvider(provider))
        }
        const account = user.linkedAccounts.find(
          (each) => each.type === 'wallet' && isSameAddress(each.address, address),
        )
        if (account?.type !== 'wallet') {
          throw new LatchkeyError('linked_account_not_found', 'The user has no wallet of this address')
        }
        const request = { address: account.address, userId: user.id, config }
        return begin(createFundingCall(own, request), signal)
      },
    },

    async addFunds(card, needed) {
      const { id: userId } = await requireUser(ports, {})
      const request = { address: needed.address, userId, config: {}, needed }
      await card.interrupt(createFundingCall(own, request))
    },

    receive: (wallet) => createFundingCall(own, { ...wallet, config: {} }),
  }
}
