/** The worker of the import page's vault. One file without imports, under the policy of `vault/worker.ts`. */
import { expose } from 'comlink'
import { systemClock } from '../../clock.ts'
import { createGuardedEndpoint } from '../guarded-endpoint.ts'
import { createImportVault } from './vault.ts'

const vault = createImportVault(systemClock)

expose(
  Object.freeze(Object.assign(Object.create(null), { call: vault.call })),
  createGuardedEndpoint({
    postMessage: (message, handedOver) => self.postMessage(message, { transfer: handedOver }),
    addEventListener: (type, listener) => self.addEventListener(type, listener),
  }),
)
