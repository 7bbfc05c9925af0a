/** ERC-7730 descriptors of an app: words for calls and typed data on the confirmation page. */
import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import { time } from './fields.ts'
import { adminLimits } from './limits.ts'
import type { AdminRoutes } from './route.ts'

const descriptor = v.object({
  /** SHA-256 of the file. */
  id: text,
  kind: v.picklist(['contract', 'eip712']),
  /** The owner that the file names. Users see it. */
  owner: text,
  contracts: v.array(
    v.object({
      chainId: text,
      address: text,
      /** The hash of the code to which the words are bound. */
      codeHash: text,
    }),
  ),
  createdAt: time,
})
export type AdminDescriptor = v.InferOutput<typeof descriptor>

const change = { scopes: ['apps:write'], effect: 'changes', needsConfirmation: true } as const

export const adminDescriptorRoutes = {
  listDescriptors: {
    method: 'GET',
    path: '/apps/{app}/descriptors',
    scopes: ['apps:read'],
    effect: 'reads',
    status: 200,
    summary: 'lists the descriptors of an app with their contracts, oldest first',
    output: v.object({ data: v.array(descriptor) }),
    errors: ['app_not_found'],
  },
  addDescriptor: {
    ...change,
    method: 'POST',
    path: '/apps/{app}/descriptors',
    status: 201,
    summary:
      'adds a descriptor, and binds it to the present code of its contracts. `skipped` lists contracts on chains without a node',
    /** `file` is the text of the file. The id is its hash. */
    body: v.object({ file: v.string() }),
    maxBodyBytes: adminLimits.maxDescriptorBodyBytes,
    output: v.object({
      ...descriptor.entries,
      skipped: v.array(v.object({ chainId: text, address: text })),
    }),
    errors: [
      'app_not_found',
      'descriptor_invalid',
      'descriptor_not_supported',
      'descriptor_too_large',
      'descriptor_exists',
      'too_many_descriptors',
      'contract_not_found',
      'chain_node_failed',
      'idempotency_key_reused',
      'payload_too_large',
      'unsupported_media_type',
    ],
  },
  removeDescriptor: {
    ...change,
    method: 'DELETE',
    path: '/apps/{app}/descriptors/{descriptor}',
    status: 200,
    summary: 'removes a descriptor. The confirmation page shows the calls without words from then on',
    output: v.object({ id: text }),
    errors: ['app_not_found', 'descriptor_not_found', 'idempotency_key_reused'],
  },
} as const satisfies AdminRoutes
