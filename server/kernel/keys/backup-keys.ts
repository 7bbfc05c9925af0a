/**
 * Master keys of a backup: the keys that its rows need, and a MAC under the master key, so that an attacker cannot
 * forge a backup.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import { product } from '@latchkey/protocol'
import { keyLimits } from '../limits.ts'
import type { Db } from '../ports.ts'
import type { EmbeddedKms } from './kms.ts'
import type { MasterKey } from './master-key.ts'
import { readWrappedValues, type WrappedColumn } from './store.ts'

/** Returns the ids of the master keys that wrap the secrets in these columns. */
export async function keysNeeded(
  db: Db,
  kms: Pick<EmbeddedKms, 'getKeyId'>,
  columns: readonly WrappedColumn[],
): Promise<readonly string[]> {
  const needed = new Set<string>()
  for await (const { wrapped } of readWrappedValues(db, columns, keyLimits.rewrapBatchRows)) {
    needed.add(kms.getKeyId(wrapped))
  }
  return [...needed].sort()
}

const MAC_KEY_BYTES = 32

export function backupMac(key: MasterKey): (bytes: Uint8Array) => string {
  const info = `${product.key}/backup/1`
  const macKey = Buffer.from(hkdfSync('sha256', key.bytes, Buffer.alloc(0), info, MAC_KEY_BYTES))
  return (bytes) => createHmac('sha256', macKey).update(bytes).digest('base64url')
}
