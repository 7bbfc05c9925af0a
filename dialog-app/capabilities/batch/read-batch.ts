/** Reads a batch of a page before a screen is shown. Refusals have the codes of EIP-5792. */
import { LatchkeyError, type TransactionRequest } from '@latchkey/protocol'
import { type BatchRequest, batchLimits, batchRefusals } from '@latchkey/protocol/host'

export class BatchRefusal extends Error {
  override readonly name = 'BatchRefusal'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Circumstances = {
  /** The wallet's address. */
  address: string
  chains: readonly number[]
  /** The chains on which calls may happen together. */
  atomicChains: number[]
  isKnown: (id: string) => boolean
}
type ReadBatch = { chainId: number; transactions: TransactionRequest[] }

export function readBatch(
  request: BatchRequest,
  { address, chains, atomicChains, isKnown }: Circumstances,
): ReadBatch {
  const { from, calls, id, atomicRequired } = request
  const chainId = Number(request.chainId)
  if (from !== undefined && from.toLowerCase() !== address.toLowerCase()) {
    throw new BatchRefusal(4100, 'The page may use no such account')
  }
  if (!chains.includes(chainId)) {
    throw new BatchRefusal(batchRefusals.unsupportedChain, `Unsupported chain: ${chainId}`)
  }
  if (atomicRequired && !atomicChains.includes(chainId)) {
    throw new BatchRefusal(
      batchRefusals.atomicityNotSupported,
      'The wallet sends calls one after the other on this chain, and never as one',
    )
  }
  for (const { capabilities = {} } of [request, ...calls]) {
    for (const [name, { optional }] of Object.entries(capabilities)) {
      if (optional === true) continue
      throw new BatchRefusal(
        batchRefusals.unsupportedCapability,
        `The wallet has no capability ${name.slice(0, 64)}, which is not marked as optional`,
      )
    }
  }
  if (calls.length > batchLimits.maxCalls) {
    throw new BatchRefusal(
      batchRefusals.tooLarge,
      `There are ${calls.length} calls, and ${batchLimits.maxCalls} may be`,
    )
  }
  if (id !== undefined && isKnown(id)) {
    throw new BatchRefusal(batchRefusals.duplicateId, 'There is a batch of this id already')
  }
  return {
    chainId,
    transactions: calls.map(({ to, data, value }, position) => {
      if (to === undefined && (data === undefined || data === '0x')) {
        throw new LatchkeyError('invalid_data', `calls[${position}] goes to nobody and has no data`)
      }
      return {
        from: address,
        chainId,
        ...(to !== undefined && { to }),
        ...(data !== undefined && { data }),
        ...(value !== undefined && { value }),
      }
    }),
  }
}
