/** Words of the app's descriptors for a request. They never decide that a card may approve it. */
import type { OpenConfirmation } from '@latchkey/protocol/api'
import type { ConfirmableRequest } from '@latchkey/protocol/wallet'
import type { ServerContext } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/ports.ts'
import type { DescribableRequest, DescriptionResult } from '../../descriptors/descriptors.ts'
import type { ConfirmationRow } from '../tables.ts'
import { findChain } from './names.ts'
import type { Reading } from './reading.ts'

type ReadRequest = { request: ConfirmableRequest; reading: Reading; from: string | undefined }

export async function describeReading(
  context: ServerContext,
  app: App,
  read: ReadRequest,
): Promise<DescriptionResult> {
  const describable = toDescribable(read)
  if (!describable) return { type: 'none' }
  // Loaded on demand: the parser of descriptors, which only signing needs.
  const { describeRequest } = await import('../../descriptors/descriptors.ts')
  return describeRequest(context, app, describable, await findChain(app, describable.chainId))
}

function toDescribable({ request, reading, from = '' }: ReadRequest): DescribableRequest | undefined {
  if (reading.kind === 'transaction') {
    const { chainId, to, value, data } = reading
    if (to === undefined || data === '0x') return undefined
    return { kind: 'contract', chainId, contract: to, from, value, data }
  }
  if (reading.kind !== 'typed_data' || request.method !== 'eth_signTypedData_v4') return undefined
  const { chainId, contract } = reading
  if (chainId === undefined || contract === undefined) return undefined
  return { kind: 'eip712', chainId, contract, from, typedData: request.params[1] }
}

/** Moves a request to the page if a descriptor names it but its words may be wrong, such as after a change of code. */
export const raiseUndescribed = <Placement extends Pick<ConfirmationRow, 'place' | 'reason' | 'counts_as'>>(
  placement: Placement,
  { type }: Pick<DescriptionResult, 'type'>,
): Placement =>
  type === 'unusable' && placement.place !== 'page'
    ? { ...placement, place: 'page', reason: 'not_understood', counts_as: null }
    : placement

export const toDescriptionField = (result: DescriptionResult): Pick<OpenConfirmation, 'description'> =>
  result.type === 'described' ? { description: result.description } : {}
