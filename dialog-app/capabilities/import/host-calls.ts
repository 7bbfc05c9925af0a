/** The host's call `importWallet`. */
import { LatchkeyError, type WalletAccount } from '@latchkey/protocol'
import { importCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import type { Flow } from '../../flow/flow.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { requiresRecoveryChoice } from '../../host/settings.ts'
import { createChosenImportFlow } from './chosen-import-flow.ts'
import { createImportCall } from './import-wallet.ts'

export function createHostCalls(ports: CapabilityPorts): ServedHostCalls<keyof typeof importCalls> {
  const begin = createUserFlows(ports)
  return {
    rows: importCalls,
    handlers: {
      async importWallet({ privateKey }, { signal }) {
        if (privateKey !== undefined && ports.settings().app.embeddedWalletConfig.hostKeyImport !== true) {
          throw new LatchkeyError(
            'not_supported',
            'This app takes no key of a page: importWallet() without one asks the user for it',
          )
        }
        const call: Flow<WalletAccount> = requiresRecoveryChoice(ports.settings())
          ? (handle) => createChosenImportFlow(ports, { privateKey }, handle)
          : createImportCall(ports, { privateKey })
        return { wallet: await begin(call, signal) }
      },
    },
  }
}
