/** An envelope is what a recovery of the user's own encrypted. It is wrapped once more here, like any other share. */
import { canonicalShareContext, type ShareContext } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { ServerContext } from '../../../kernel/context.ts'
import { invalidCommit, kmsPurposes } from '../custody.ts'

/** An envelope stays as its user's side made it, whatever opens it. `read` gives what it says of itself. */
export function wrapEnvelope(
  { kms }: ServerContext,
  share: ShareContext,
  envelope: Uint8Array,
  read: { gen: number } | undefined,
): Promise<string> {
  if (read?.gen !== share.generation) {
    throw invalidCommit('The recovery is not an envelope of this generation')
  }
  return kms.wrap(kmsPurposes.recovery, envelope, canonicalShareContext(share))
}

/** Gives the envelope as the vault made it. */
export const unwrapEnvelope = (
  { kms }: ServerContext,
  wrapped: string,
  share: ShareContext,
): Promise<Uint8Array> => kms.unwrap(kmsPurposes.recovery, wrapped, canonicalShareContext(share))

export function readEnvelope<Envelope>(
  schema: v.GenericSchema<unknown, Envelope>,
  bytes: Uint8Array,
): Envelope | undefined {
  try {
    return v.parse(schema, JSON.parse(Buffer.from(bytes).toString()))
  } catch {
    return undefined
  }
}
