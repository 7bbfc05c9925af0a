/**
 * The files of one app in the cloud of one user. Each has a name of its own: a wallet that is made anew has another
 * address, and shares that are made anew another generation, so that no attempt writes over what another one needs.
 */
import { LatchkeyError, product } from '@latchkey/protocol'
import type { FileOf } from '../recovery-method.ts'

/** What a cloud can do. Each rejects with a `CloudProblem` where it can not. */
export type CloudFiles = {
  write: (of: FileOf, text: string) => Promise<void>
  read: (of: FileOf) => Promise<string>
  remove: (of: FileOf) => Promise<void>
}

export const fileName = ({ address, generation }: FileOf) => `${product.key}-${address}-${generation}.json`

/** Why a cloud does not do it. A closed set: `details.reason` of the error is one of these. */
export type CloudProblem =
  | 'access_ended'
  | 'file_malformed'
  | 'file_missing'
  | 'no_space'
  | 'cloud_unreachable'

export const cloudProblem = (reason: CloudProblem, cause?: unknown) =>
  new LatchkeyError('error', 'The recovery file could not be reached', { details: { reason }, cause })
