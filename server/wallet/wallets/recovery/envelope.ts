/** Wraps envelopes. An envelope is a recovery share that the user's secret encrypts. The KMS wraps it like any share. */
import { canonicalShareContext, type ShareContext } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { ServerContext } from '../../../kernel/context.ts'
import { invalidCommit, kmsPurposes } from '../custody.ts'

/** Wraps the envelope bytes unchanged. `read` is the parsed envelope. Its generation must match. */
export function wrapEnvelope(
  { kms }: ServerContext,
  share: ShareContext,
  envelope: Uint8Array,
  read: { gen: number } | undefined,
): Promise<string> {
  if (read?.gen !== share.generation) {
    throw invalidCommit('The recovery is no envelope of this generation')
  }
  return kms.wrap(kmsPurposes.recovery, envelope, canonicalShareContext(share))
}

/** Returns the envelope bytes as the vault created them. */
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
