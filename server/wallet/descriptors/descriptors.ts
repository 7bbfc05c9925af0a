/**
 * Descriptors (ERC-7730) of an app: words of a third party for calls and typed data. They are words only: the
 * approval surface is decided without them, and they can only move a request to the confirmation page.
 */
import { createHash } from 'node:crypto'
import { channelLimits } from '@latchkey/protocol'
import { encodeType, parseTypedData } from '@latchkey/protocol/wallet'
import { chains } from '../../integrations/chains/chains.ts'
import { prices } from '../../integrations/prices/prices.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { App } from '../../kernel/ports.ts'
import { readCodeHash } from './code-hash.ts'
import { type AssetNames, type Description, describe } from './describe.ts'
import { descriptorLimits } from './limits.ts'
import { type Descriptor, readDescriptor } from './reader/read-descriptor.ts'
import { decodeCall, fromTypedData } from './reader/value.ts'
import { DescriptorRefusal } from './refusal.ts'
import { findDescriptorFile } from './store.ts'

export type { Description } from './describe.ts'

/** A call or typed data, as the server has parsed it. */
export type DescribableRequest =
  | { kind: 'contract'; chainId: string; contract: string; from: string; value: bigint; data: string }
  | { kind: 'eip712'; chainId: string; contract: string; from: string; typedData: string }

/** `unusable`: a descriptor names the call, but its words may be wrong for it. */
export type DescriptionResult =
  | { type: 'none' }
  | { type: 'described'; description: Description }
  | { type: 'unusable' }

const none: DescriptionResult = { type: 'none' }
const unusable: DescriptionResult = { type: 'unusable' }

export async function describeRequest(
  { db, ports }: Pick<ServerContext, 'db' | 'ports'>,
  app: Pick<App, 'id' | 'config'>,
  request: DescribableRequest,
  coin: AssetNames['coin'],
): Promise<DescriptionResult> {
  const { kind, chainId, contract } = request
  const key = { app_id: app.id, kind, chain_id: chainId, address: contract.toLowerCase() }
  const stored = await findDescriptorFile(db, key)
  if (!stored) return none
  if (hashFile(stored.file) !== stored.hash) return unusable
  const descriptor = readStored(stored.file)
  if (!descriptor) return unusable
  const matched = matchFormat(descriptor, request)
  if (matched.type !== 'matched') return matched
  if ((await findCodeHash({ ports }, app, request)) !== stored.code_hash) return unusable
  const description = describe(matched.words, matched.values, {
    coin,
    findToken: (address) => prices.get(ports).findToken(chainId, address),
  })
  return description ? { type: 'described', description } : unusable
}

/** Returns undefined for a file that an earlier release accepted and this one does not. */
function readStored(file: string): Descriptor | undefined {
  try {
    return readDescriptor(file)
  } catch (error) {
    if (error instanceof DescriptorRefusal) return undefined
    throw error
  }
}

export const hashFile = (file: string): string => createHash('sha256').update(file).digest('hex')

type Matched =
  | { type: 'matched'; words: Parameters<typeof describe>[0]; values: Parameters<typeof describe>[1] }
  | DescriptionResult

const { maxSignRequestBytes: maxBytes } = channelLimits
const SELECTOR_LENGTH = 10

function matchFormat(descriptor: Descriptor, request: DescribableRequest): Matched {
  const { owner } = descriptor
  const { from, contract: to, chainId } = request
  if (descriptor.kind === 'contract' && request.kind === 'contract') {
    const format = descriptor.formats.get(request.data.slice(0, SELECTOR_LENGTH))
    if (!format) return none
    const data = decodeCall(format.function, request.data)
    if (!data) return unusable
    const container = { from, to, chainId, value: String(request.value) }
    return { type: 'matched', words: { owner, ...format }, values: { data, container } }
  }
  if (descriptor.kind === 'eip712' && request.kind === 'eip712') {
    const { types, primaryType, domain, message } = parseTypedData(request.typedData, { maxBytes })
    const format = descriptor.formats.get(encodeType(types, primaryType))
    if (!format) return none
    const hasDomain = [...descriptor.domain].every(
      ([field, value]) => String(domain[field] ?? '').toLowerCase() === value.toLowerCase(),
    )
    if (!hasDomain) return unusable
    const container = { from, to, chainId, value: undefined }
    return {
      type: 'matched',
      words: { owner, ...format },
      values: { data: fromTypedData(format.shape, message), container },
    }
  }
  return none
}

/** Reads the code hash at the first node that answers. Returns undefined if none does in time. */
async function findCodeHash(
  { ports }: Pick<ServerContext, 'ports'>,
  app: Pick<App, 'config'>,
  { chainId, contract }: DescribableRequest,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(descriptorLimits.codeDeadlineMs)
  for (const node of chains.get(ports).listNodes(app, chainId)) {
    try {
      return await readCodeHash(node, contract, signal)
    } catch {
      // The next node may answer.
    }
  }
  return undefined
}
