/** The handle of a request: whoever has it and may ask hears of it. The table knows its hash. */
import { createHash, randomBytes } from 'node:crypto'
import { product } from '@latchkey/protocol'

export const newHandle = (): string => randomBytes(32).toString('base64url')
export const idOf = (handle: string): string =>
  createHash('sha256').update(`${product.key}/cross-app-request\n${handle}`).digest('base64url')

/** What is sealed of a request in its row. */
export const sealedParts = {
  request: 'what an app asks to have signed',
  result: 'what came of it',
} as const
