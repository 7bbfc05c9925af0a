/** Starts a vault's worker. Its address is the one script address that a page's Trusted Types policy makes. */
import { product } from '@latchkey/protocol'
import { type Remote, wrap } from 'comlink'
import type { VaultWorker } from './client.ts'

type Door = { call(request: unknown): Promise<unknown> }
/** TypeScript's DOM types do not have it yet. https://www.w3.org/TR/trusted-types/ */
type PolicyFactory = {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

/** Runs once per page: a page has one vault, and a Trusted Types policy name can be used once. */
export function vaultStarter(vaultUrl: string): () => VaultWorker {
  const policy = policyFactory()?.createPolicy(product.trustedTypesPolicy, {
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
    const door: Remote<Door> = wrap<Door>(worker)
    return {
      call: (request) => door.call(request),
      broken: new Promise((_resolve, reject) => {
        worker.addEventListener('error', () => reject(new Error('The vault broke')))
        worker.addEventListener('messageerror', () => reject(new Error('The vault sent what cannot be read')))
      }),
      end: () => worker.terminate(),
    }
  }
}

function policyFactory(): PolicyFactory | undefined {
  return (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
}
