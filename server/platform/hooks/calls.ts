/** Calls of the Admin API about hooks. */
import { type AdminHook, adminHookRoutes } from '@latchkey/protocol/admin'
import type { ServerContext } from '../../kernel/context.ts'
import {
  type AdminCall,
  type AdminEndpoint,
  AdminError,
  adminChange,
  adminPreparedChange,
  adminRead,
} from '../../kernel/http/admin-endpoint.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { assertMatches, digestObject, formatTime } from '../admin/admin.ts'
import {
  createSecret,
  expireSecrets,
  findSecrets,
  formatSecret,
  insertSecret,
  openSecret,
} from '../webhooks/webhooks.ts'
import { isHookUrlAllowed } from './client.ts'
import { hookLimits } from './limits.ts'
import { changeHook, findHook, type HookRow, insertHook, listHooks, lockHook, removeHook } from './store.ts'

type HookCall = Pick<AdminCall, 'appId' | 'params'>

const requireRow = (row: HookRow | undefined, { params }: HookCall): HookRow => {
  if (row === undefined) throw new AdminError('hook_not_found', `The app has no hook ${params.hook}`)
  return row
}
const requireHook = async (reader: Reader, call: HookCall) =>
  requireRow(await findHook(reader, call.appId, call.params.hook ?? ''), call)
const requireLocked = async (trx: Trx, call: HookCall) =>
  requireRow(await lockHook(trx, call.appId, call.params.hook ?? ''), call)

function assertUrlAllowed({ config }: Pick<ServerContext, 'config'>, url: string): void {
  if (isHookUrlAllowed(config, url)) return
  throw new AdminError('url_not_allowed', 'Hooks need an https URL of another public host', { path: 'url' })
}

const describeHook = (row: HookRow): AdminHook => ({
  id: row.id,
  appId: row.app_id,
  kind: row.kind,
  url: row.url,
  onFailure: row.on_failure,
  state: row.state,
  createdAt: formatTime(row.created_at),
})

export const hookEndpoints: AdminEndpoint[] = [
  adminRead(adminHookRoutes.listHooks, async ({ appId }, { db }) => ({
    output: { data: (await listHooks(db, appId)).map(describeHook) },
  })),

  adminPreparedChange(
    adminHookRoutes.createHook,
    async ({ appId }, { kms }) => {
      const id = `hok_${randomId()}`
      return { id, secret: await createSecret(kms, appId, id) }
    },
    async (trx, { appId, body }, { clock, config }, { id, secret }) => {
      const { kind, url, onFailure } = body
      assertUrlAllowed({ config }, url)
      const row = await insertHook(trx, clock, { id, app_id: appId, kind, url, on_failure: onFailure })
      if (row === undefined) throw new AdminError('hook_exists', `The app has a hook ${kind}`)
      await insertSecret(trx, clock, secret)
      return { output: { id }, digest: digestObject(row) }
    },
  ),

  adminRead(adminHookRoutes.getHook, async (call, { db }) => {
    const row = await requireHook(db, call)
    return { output: describeHook(row), digest: digestObject(row) }
  }),

  adminChange(adminHookRoutes.updateHook, async (trx, call, { config }) => {
    const row = await requireLocked(trx, call)
    const earlierDigest = digestObject(row)
    assertMatches(call, earlierDigest)
    const { url, onFailure, state } = call.body
    const isRestricted = url !== undefined || onFailure !== undefined || state === 'enabled'
    if (row.kind === 'message.send' && isRestricted) {
      throw new AdminError(
        'not_supported',
        'Only `latchkey app hooks` changes this hook: it receives login codes',
      )
    }
    if (url !== undefined) assertUrlAllowed({ config }, url)
    await changeHook(trx, row.id, {
      ...(url !== undefined && { url }),
      ...(onFailure !== undefined && { on_failure: onFailure }),
      ...(state !== undefined && { state }),
    })
    return {
      output: { id: row.id },
      before: earlierDigest,
      digest: digestObject(await requireHook(trx, call)),
    }
  }),

  adminChange(adminHookRoutes.deleteHook, async (trx, call) => {
    const row = await requireLocked(trx, call)
    const earlierDigest = digestObject(row)
    assertMatches(call, earlierDigest)
    await removeHook(trx, row)
    return { output: { id: row.id }, before: earlierDigest, digest: null }
  }),

  adminRead(adminHookRoutes.readHookSecret, async (call, { db, kms, clock }) => {
    const { id } = await requireHook(db, call)
    const data = await Promise.all(
      (await findSecrets(db, clock, id)).map(async (row) => ({
        ...formatSecret(await openSecret(kms, row)),
        expiresAt: row.expires_at === null ? null : formatTime(row.expires_at),
      })),
    )
    return { output: { data } }
  }),

  adminPreparedChange(
    adminHookRoutes.rotateHookSecret,
    ({ appId, params }, { kms }) => createSecret(kms, appId, params.hook ?? ''),
    async (trx, call, { clock }, secret) => {
      const { id } = await requireLocked(trx, call)
      const expiresAt = nowSeconds(clock) + hookLimits.secretOverlapSeconds
      await expireSecrets(trx, id, expiresAt)
      await insertSecret(trx, clock, secret)
      return { output: { id, earlierExpireAt: formatTime(expiresAt) } }
    },
  ),
]
