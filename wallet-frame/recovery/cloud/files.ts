/**
 * The files of one app in one user's cloud. Their names contain address and generation, so no attempt
 * overwrites a file that another one needs.
 */
import { LatchkeyError, product } from '@latchkey/protocol'
import type { FileOf } from '../recovery-method.ts'

/** The file operations of a cloud. Each rejects with a `CloudProblem`. */
export type CloudFiles = {
  write: (of: FileOf, text: string) => Promise<void>
  read: (of: FileOf) => Promise<string>
  remove: (of: FileOf) => Promise<void>
}

export const createFileName = ({ address, generation }: FileOf) =>
  `${product.key}-${address}-${generation}.json`

/** Reasons why a cloud operation failed. A closed set: `details.reason` of the error is one of these. */
export type CloudProblem =
  | 'access_ended'
  | 'file_malformed'
  | 'file_missing'
  | 'no_space'
  | 'cloud_unreachable'

export const cloudProblem = (reason: CloudProblem, cause?: unknown) =>
  new LatchkeyError('error', 'The recovery file could not be accessed', { details: { reason }, cause })
