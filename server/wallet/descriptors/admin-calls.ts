/** The calls of the Admin API about descriptors. */
import { type AdminDescriptor, adminDescriptorRoutes } from '@latchkey/protocol/admin'
import { chains } from '../../integrations/chains/chains.ts'
import {
  type AdminEndpoint,
  AdminError,
  adminChange,
  adminPreparedChange,
  adminRead,
} from '../../kernel/http/admin-endpoint.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { DescriptorRefusal } from './refusal.ts'
import { removeWithAudit } from './remove.ts'
import { type BindingRow, type DescriptorRow, listBindings, listDescriptors } from './store.ts'

const describe = (
  { hash, kind, owner, created_at }: DescriptorRow,
  bindings: BindingRow[],
): AdminDescriptor => ({
  id: hash,
  kind,
  owner,
  contracts: bindings
    .filter((binding) => binding.hash === hash)
    .map(({ chain_id: chainId, address, code_hash: codeHash }) => ({ chainId, address, codeHash })),
  createdAt: new Date(created_at * 1_000).toISOString(),
})

/** Converts the refusal of a file. */
function throwRefusal(error: unknown): never {
  if (!(error instanceof DescriptorRefusal)) throw error
  const detail = [error.path, error.message].filter(Boolean).join(' ')
  throw new AdminError(error.code, detail, { path: 'file', cause: error })
}

export const descriptorEndpoints: AdminEndpoint[] = [
  adminRead(adminDescriptorRoutes.listDescriptors, async ({ appId }, { db }) => {
    const bindings = await listBindings(db, appId)
    const rows = await listDescriptors(db, appId)
    return { output: { data: rows.map((row) => describe(row, bindings)) } }
  }),

  adminPreparedChange(
    adminDescriptorRoutes.addDescriptor,
    async ({ appId, body: { file } }, { apps, db, clock, ports }) => {
      const app = await apps.find(appId)
      if (app === undefined) throw new AdminError('app_not_found', `There is no app ${appId}`)
      // Loaded on demand: only this needs the parser.
      const { prepareDescriptor, storeDescriptor } = await import('./add.ts')
      const prepared = await prepareDescriptor(db, {
        appId,
        file,
        createdAt: nowSeconds(clock),
        findNode: (chainId) => chains.get(ports).listNodes(app, chainId)[0],
      }).catch(throwRefusal)
      return { prepared, storeDescriptor }
    },
    async (trx, _call, { clock }, { prepared, storeDescriptor }) => {
      await storeDescriptor(trx, clock, prepared).catch(throwRefusal)
      const skipped = prepared.skipped.map(({ chainId, address }) => ({ chainId, address }))
      return { output: { ...describe(prepared.row, prepared.bindings), skipped } }
    },
  ),

  adminChange(adminDescriptorRoutes.removeDescriptor, async (trx, { appId, params }, { clock }) => {
    const { descriptor: id = '' } = params
    if (!(await removeWithAudit(trx, clock, appId, id))) {
      throw new AdminError('descriptor_not_found', `The app has no descriptor ${id}`)
    }
    return { output: { id } }
  }),
]
