/** Calls that read the audit log of the Admin API. */
import { product } from '@latchkey/protocol'
import { type AdminAuditObject, adminLimits, auditRoutes } from '@latchkey/protocol/admin'
import type { ServerContext } from '../../kernel/context.ts'
import {
  type AdminCaller,
  type AdminEndpoint,
  adminRead,
  adminStream,
} from '../../kernel/http/admin-endpoint.ts'
import { signEs256 } from '../../kernel/keys/keys.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { type AuditHead, readAuditBatches, readAuditEntries, readAuditHeads } from './audit-chain.ts'
import { assertApp } from './calls.ts'
import { formatTime, toPage } from './pages.ts'
import type { AdminAuditRow } from './tables.ts'

type AppQuery = { app?: string | undefined }

async function findChain(caller: AdminCaller, { app }: AppQuery, context: ServerContext): Promise<string> {
  if (app !== undefined) await assertApp(context, caller, app)
  return app ?? caller.appId ?? ''
}

const toAppId = (chain: string) => (chain === '' ? null : chain)

const describeEntry = (row: AdminAuditRow): AdminAuditObject => ({
  appId: toAppId(row.chain),
  sequence: row.sequence,
  at: formatTime(row.at),
  actor: row.actor,
  event: row.operation,
  scope: row.scope,
  userId: row.user_id,
  target: row.target,
  status: row.status,
  result: row.result,
  requestId: row.request_id,
  beforeDigest: row.before_digest,
  afterDigest: row.after_digest,
  address: row.address,
  prev: row.prev,
  hash: row.hash,
})

/** Signs a head. The line breaks make the text distinct from the content of every token that the key signs. */
function signHead({ chain, sequence, hash }: AuditHead, { keyring, clock }: ServerContext) {
  const { id, privateKey } = keyring.signingKey()
  const signedAt = formatTime(nowSeconds(clock))
  const text = [`${product.key}-audit-head`, chain, sequence, hash, signedAt].join('\n')
  return {
    appId: toAppId(chain),
    sequence,
    hash,
    signedAt,
    keyId: id,
    signature: signEs256(privateKey, text).toString('base64url'),
  }
}

export const auditEndpoints: AdminEndpoint[] = [
  adminRead(auditRoutes.listAudit, async ({ caller, query }, context) => {
    const { after, limit = adminLimits.defaultPerPage, event, user } = query
    const chain = await findChain(caller, query, context)
    const rows = await readAuditEntries(context.db, { chain, event, userId: user }, after, limit + 1)
    const { page, next } = toPage(rows, limit, ({ sequence }) => String(sequence))
    return { output: { data: page.map(describeEntry), next } }
  }),

  adminStream(auditRoutes.streamAudit, async ({ caller, query }, context) => {
    const chain = await findChain(caller, query, context)
    return (async function* () {
      for await (const rows of readAuditBatches(context.db, chain, query.after ?? 0)) {
        yield rows.map(describeEntry)
      }
    })()
  }),

  adminRead(auditRoutes.readAuditHead, async ({ caller }, context) => {
    const heads = await readAuditHeads(context.db, caller.appId)
    return { output: { data: heads.map((head) => signHead(head, context)) } }
  }),
]
