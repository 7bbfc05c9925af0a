/** The calls about ERC-7730 descriptors. */
import type {
  AddDescriptorAnswer,
  AddDescriptorBody,
  ListDescriptorsAnswer,
  RemoveDescriptorAnswer,
} from './contract.ts'
import type { CallOptions, createRequest } from './request.ts'

export type ContractDescriptor = ListDescriptorsAnswer['data'][number]

export const createDescriptorCalls = ({ request }: Pick<ReturnType<typeof createRequest>, 'request'>) => ({
  /** Returns the descriptors of an app with their contracts. */
  async list(app: string, call?: CallOptions): Promise<ContractDescriptor[]> {
    const input = { params: { app }, options: call }
    return (await request<ListDescriptorsAnswer>('listDescriptors', input)).body.data
  },

  /** Adds the text of a file, bound to the present code of its contracts. `skipped` has contracts without a node. */
  async add(app: string, file: AddDescriptorBody['file'], call?: CallOptions) {
    const input = { params: { app }, body: { file }, options: call }
    return (await request<AddDescriptorAnswer>('addDescriptor', input)).body
  },

  async remove(app: string, descriptor: string, call?: CallOptions): Promise<void> {
    const input = { params: { app, descriptor }, options: call }
    await request<RemoveDescriptorAnswer>('removeDescriptor', input)
  },
})
