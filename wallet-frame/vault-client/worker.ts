/** Starts a vault's worker. The page's Trusted Types policy creates only this one script URL. */
import { product } from '@latchkey/protocol'
import { type Remote, wrap } from 'comlink'
import type { VaultWorker } from './client.ts'

type WorkerApi = { call(request: unknown): Promise<unknown> }
/** Missing in TypeScript's DOM types. https://www.w3.org/TR/trusted-types/ */
type PolicyFactory = {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

/**
 * Creates the function that starts the worker. Call it once per page: a Trusted Types policy name can be used
 * once.
 */
export function createVaultStarter(vaultUrl: string): () => VaultWorker {
  const policy = getPolicyFactory()?.createPolicy(product.trustedTypesPolicy, {
    createScriptURL(url) {
      if (url !== vaultUrl) throw new TypeError('Not the address of the vault')
      return url
    },
  })
  return () => {
    const worker = new Worker(policy?.createScriptURL(vaultUrl) ?? vaultUrl, {
      name: `${product.key} vault`,
      type: VAULT_WORKER_TYPE,
    })
    const api: Remote<WorkerApi> = wrap<WorkerApi>(worker)
    return {
      call: (request) => api.call(request),
      broken: new Promise((_resolve, reject) => {
        worker.addEventListener('error', () => reject(new Error('The vault broke')))
        worker.addEventListener('messageerror', () =>
          reject(new Error('The vault sent a message that cannot be deserialized')),
        )
      }),
      end: () => worker.terminate(),
    }
  }
}

function getPolicyFactory(): PolicyFactory | undefined {
  return (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
}
