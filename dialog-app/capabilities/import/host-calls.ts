/** The host's call `importWallet`. */
import { LatchkeyError } from '@latchkey/protocol'
import { importCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { createUserFlows } from '../../contract/user-flows.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { requiresRecoveryChoice } from '../../host/settings.ts'
import { createChosenImportCall } from './chosen-import.ts'
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
        const create = requiresRecoveryChoice(ports.settings()) ? createChosenImportCall : createImportCall
        return { wallet: await begin(create(ports, { privateKey }), signal) }
      },
    },
  }
}
