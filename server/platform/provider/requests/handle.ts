/** The handle of a request. Reading a result needs the handle and the requester's token. The table stores its hash. */
import { createHash, randomBytes } from 'node:crypto'
import { product } from '@latchkey/protocol'

export const newHandle = (): string => randomBytes(32).toString('base64url')
export const hashHandle = (handle: string): string =>
  createHash('sha256').update(`${product.key}/cross-app-request\n${handle}`).digest('base64url')

/** The sealed columns of a request. The texts are associated data and must not change. */
export const sealedParts = {
  request: 'what an app asks to have signed',
  result: 'what came of it',
} as const
