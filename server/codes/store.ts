import type { Row } from '../db/schema.ts'
import type { Reader, Trx } from '../ports.ts'
import type { CodeKey } from './code-key.ts'

type NewCode = Pick<Row<'codes'>, 'code_hash' | 'expires_at' | 'sent_at'>

/** A new code takes the place of the one before. */
export async function putCode(trx: Trx, key: CodeKey, code: NewCode): Promise<void> {
  await trx
    .insertInto('codes')
    .values({
      app_id: key.appId,
      purpose: key.purpose.name,
      identifier: key.identifier,
      binding: key.binding,
      ...code,
    })
    .onConflict((conflict) =>
      conflict.columns(['app_id', 'purpose', 'identifier', 'binding']).doUpdateSet(code),
    )
    .execute()
}

/**
 * The hash of the outstanding code, if there is one. Its row is held until the transaction ends: both engines have no
 * common `select … for update`; an update that changes nothing locks in both.
 */
export async function holdCode(trx: Trx, key: CodeKey, nowSeconds: number): Promise<string | undefined> {
  const code = await trx
    .updateTable('codes')
    .set((code) => ({ code_hash: code.ref('code_hash') }))
    .where('app_id', '=', key.appId)
    .where('purpose', '=', key.purpose.name)
    .where('identifier', '=', key.identifier)
    .where('binding', '=', key.binding)
    .where('expires_at', '>', nowSeconds)
    .returning('code_hash')
    .executeTakeFirst()
  return code?.code_hash
}

export async function removeCode(trx: Trx, key: CodeKey): Promise<void> {
  await trx
    .deleteFrom('codes')
    .where('app_id', '=', key.appId)
    .where('purpose', '=', key.purpose.name)
    .where('identifier', '=', key.identifier)
    .where('binding', '=', key.binding)
    .execute()
}

export async function isKnownBrowser(reader: Reader, key: CodeKey): Promise<boolean> {
  const known = await reader
    .selectFrom('known_browsers')
    .select('last_seen_at')
    .where('app_id', '=', key.appId)
    .where('identifier', '=', key.identifier)
    .where('binding', '=', key.binding)
    .executeTakeFirst()
  return known !== undefined
}

export async function putKnownBrowser(trx: Trx, key: CodeKey, nowSeconds: number): Promise<void> {
  await trx
    .insertInto('known_browsers')
    .values({
      app_id: key.appId,
      identifier: key.identifier,
      binding: key.binding,
      last_seen_at: nowSeconds,
    })
    .onConflict((conflict) =>
      conflict.columns(['app_id', 'identifier', 'binding']).doUpdateSet({ last_seen_at: nowSeconds }),
    )
    .execute()
}
