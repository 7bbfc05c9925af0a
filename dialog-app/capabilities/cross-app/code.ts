/** Creates the lazy part of the cross-app capability: login method, host calls and connected wallets. */
import {
  type CrossAppProvider,
  isSameAddress,
  LatchkeyError,
  type LinkedAccount,
  type UserRecord,
} from '@latchkey/protocol'
import { crossAppCalls } from '@latchkey/protocol/host'
import type { Cancellable } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { AskedOfApp, ConnectedWallets } from '../../contract/connected-wallets.ts'
import type { MethodCode } from '../../contract/login.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { requireUser } from '../../host/require-user.ts'
import { providerOf } from './connections.ts'
import { type CrossAppAccount, crossAppMethod } from './method.ts'
import { type CrossAppBrowser, type CrossAppParts, createParts } from './parts.ts'
import { providerAppOf } from './provider/provider-app.ts'
import { createRequestCall } from './request/request-call.ts'
import { english } from './texts.arb'

export type CrossAppCode = {
  parts: CrossAppParts
  method: (provider: CrossAppProvider) => MethodCode
  served: ServedHostCalls<keyof typeof crossAppCalls>
  wallets: ConnectedWallets
}

export function createCode(ports: CapabilityPorts, browser: CrossAppBrowser | undefined): CrossAppCode {
  const parts = createParts(ports, browser)
  const { connections, callByName } = parts
  const begin = createUserFlows(ports)

  async function requireSigner(address: string, asker: Cancellable) {
    const user = await requireUser(ports, asker)
    const account = accountWith(user, address)
    if (!account) throw new LatchkeyError('linked_account_not_found', english.problems.otherAddress)
    const connection = await connections.of(providerOf(account.providerAppId), asker)
    if (connection.readOnly) {
      const { providerAppName } = connection
      throw new LatchkeyError(
        'not_supported',
        `Wallets of ${providerAppName} sign nothing here: they can only be read`,
      )
    }
    return { user, connection }
  }

  return {
    parts,
    method: (provider) => crossAppMethod(parts, provider),
    served: {
      rows: crossAppCalls,
      handlers: {
        async linkCrossAppAccount({ appId }, context) {
          await requireUser(ports, context)
          const provider = providerOf(appId)
          await connections.of(provider, context)
          return callByName('link', { method: provider }, context)
        },
        async unlinkCrossAppAccount({ subject }, context) {
          const { linkedAccounts } = await requireUser(ports, context)
          const account = linkedAccounts.filter(isCrossApp).find((each) => each.subject === subject)
          if (!account) throw new LatchkeyError('linked_account_not_found', 'The user has no such account')
          return callByName('unlink', { method: providerOf(account.providerAppId), id: subject }, context)
        },
      },
    },
    wallets: {
      async find(address, asker) {
        const { connection } = await requireSigner(address, asker)
        return { address, ...providerAppOf(connection) }
      },
      async ask(asked: AskedOfApp, { signal }) {
        const { user, connection } = await requireSigner(asked.address, { signal })
        const order = { userId: user.id, connection, asked }
        return begin(createRequestCall(parts, order), signal)
      },
    },
  }
}

const isCrossApp = (account: LinkedAccount): account is CrossAppAccount => account.type === 'cross_app'

const accountWith = ({ linkedAccounts }: UserRecord, address: string): CrossAppAccount | undefined =>
  linkedAccounts
    .filter(isCrossApp)
    .find(({ embeddedWallets }) => embeddedWallets.some((wallet) => isSameAddress(wallet.address, address)))
