/** Adds a descriptor to an app, bound to the present code of its contracts. */
import { createReadStream } from 'node:fs'
import { appById, parseStoredConfig } from '../../identity/apps/apps.ts'
import { recordAudit } from '../../identity/audit/audit.ts'
import { type ChainNode, chainEnvironment, listNodes } from '../../integrations/chains/chains.ts'
import type { CommandContext } from '../../kernel/capability.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import { type Clock, type Db, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { readCodeHash } from './code-hash.ts'
import { hashFile } from './descriptors.ts'
import { descriptorLimits } from './limits.ts'
import { type Deployment, type Descriptor, readDescriptor } from './reader/read-descriptor.ts'
import { DescriptorRefusal } from './refusal.ts'
import { type BindingRow, type DescriptorRow, insertDescriptor, listDescriptors } from './store.ts'

export type PreparedDescriptor = {
  row: DescriptorRow
  bindings: BindingRow[]
  /** Deployments on chains without a node. */
  skipped: Deployment[]
}
export type Added = ({ type: 'added' } & PreparedDescriptor) | { type: 'refused'; line: string }

/** Adds a file at the command line. */
export async function addDescriptor(
  appId: string,
  path: string,
  db: Db,
  { clock, readConfig }: CommandContext,
): Promise<Added> {
  const file = await readFileWithin(path, descriptorLimits.maxFileBytes)
  if (file === undefined) return { type: 'refused', line: `${path} could not be read.` }
  const app = await appById(db, appId)
  const appUrls = { config: { rpcUrls: app ? parseStoredConfig(app).rpcUrls : {} } }
  const operatorUrls = chainEnvironment.read(readConfig()).CHAIN_RPC_URLS
  try {
    const prepared = await prepareDescriptor(db, {
      appId,
      file,
      createdAt: nowSeconds(clock),
      findNode: (chainId) => listNodes(operatorUrls, appUrls, chainId)[0],
    })
    await withTransaction(db, (trx) => storeDescriptor(trx, clock, prepared))
    return { type: 'added', ...prepared }
  } catch (error) {
    if (!(error instanceof DescriptorRefusal)) throw error
    const { code, path: at, message } = error
    return { type: 'refused', line: `${[at, message].filter(Boolean).join(' ')} (${code}).` }
  }
}

type NewDescriptor = {
  appId: string
  file: string
  createdAt: number
  findNode: (chainId: string) => ChainNode | undefined
}

/** Parses a file, and reads the code of its contracts. Throws a `DescriptorRefusal`. */
export async function prepareDescriptor(
  reader: Reader,
  { appId, file, createdAt, findNode }: NewDescriptor,
): Promise<PreparedDescriptor> {
  const descriptor = readDescriptor(file)
  const { maxPerApp } = descriptorLimits
  if ((await listDescriptors(reader, appId)).length >= maxPerApp) {
    throw new DescriptorRefusal(
      'too_many_descriptors',
      '',
      `The app has ${maxPerApp} descriptors, the maximum`,
    )
  }
  const { kind, owner } = descriptor
  const row = { app_id: appId, hash: hashFile(file), kind, owner, file, created_at: createdAt }
  return { row, ...(await bind(row, descriptor, findNode)) }
}

/** Reads at most one byte more than the limit, so that `readDescriptor` refuses a longer file. */
async function readFileWithin(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of createReadStream(path, { end: maxBytes })) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  } catch {
    return undefined
  }
}

/** Reads the code of each deployment on a chain with a node. Throws without such a chain, or if a node fails. */
async function bind(
  { app_id, hash, kind }: DescriptorRow,
  { deployments }: Descriptor,
  findNode: NewDescriptor['findNode'],
): Promise<{ bindings: BindingRow[]; skipped: Deployment[] }> {
  const signal = AbortSignal.timeout(descriptorLimits.addDeadlineMs)
  const bindings: BindingRow[] = []
  const skipped: Deployment[] = []
  for (const deployment of deployments) {
    const { chainId, address } = deployment
    const node = findNode(chainId)
    if (!node) {
      skipped.push(deployment)
      continue
    }
    const codeHash = await readCodeHash(node, address, signal).catch((cause: unknown) => {
      throw new DescriptorRefusal(
        'chain_node_failed',
        '',
        `The node of chain ${chainId} failed: ${String(cause)}`,
      )
    })
    if (codeHash === undefined) {
      throw new DescriptorRefusal('contract_not_found', '', `Chain ${chainId} has no contract at ${address}`)
    }
    bindings.push({ app_id, kind, chain_id: chainId, address, hash, code_hash: codeHash })
  }
  if (bindings.length > 0) return { bindings, skipped }
  throw new DescriptorRefusal(
    'chain_node_failed',
    '',
    'No deployment is on a chain with a node: set rpc_urls of the app',
  )
}

/** Stores a descriptor with an audit entry. Throws a `DescriptorRefusal` if one of its contracts has a descriptor. */
export async function storeDescriptor(
  trx: Trx,
  clock: Clock,
  { row, bindings }: Pick<PreparedDescriptor, 'row' | 'bindings'>,
): Promise<void> {
  if (!(await insertDescriptor(trx, row, bindings))) {
    throw new DescriptorRefusal(
      'descriptor_exists',
      '',
      'The app has a descriptor of one of these contracts. Remove it first',
    )
  }
  const { app_id: appId, hash, kind, owner } = row
  await recordAudit(trx, clock, {
    event: 'app.descriptor_added',
    appId,
    userId: null,
    sessionId: null,
    details: { hash, kind, owner },
  })
}
