import type { Row } from '../../db/schema.ts'
import type { Reader, Trx } from '../../ports.ts'

export type CodePlace = { readonly appId: string; readonly address: string; readonly binding: string }

/** One code a browser and address: a new one takes the place of the one before. */
export async function putCode(trx: Trx, code: Row<'email_codes'>): Promise<void> {
  await trx
    .insertInto('email_codes')
    .values(code)
    .onConflict((conflict) =>
      conflict.columns(['app_id', 'address', 'binding']).doUpdateSet({
        code_hash: code.code_hash,
        expires_at: code.expires_at,
        sent_at: code.sent_at,
      }),
    )
    .execute()
}

export async function findCodeHash(
  trx: Trx,
  place: CodePlace,
  nowSeconds: number,
): Promise<string | undefined> {
  const code = await trx
    .selectFrom('email_codes')
    .select('code_hash')
    .where('app_id', '=', place.appId)
    .where('address', '=', place.address)
    .where('binding', '=', place.binding)
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirst()
  return code?.code_hash
}

/** Of several who bring the right code, one gets it. */
export async function takeCode(trx: Trx, place: CodePlace, codeHash: string): Promise<boolean> {
  const taken = await trx
    .deleteFrom('email_codes')
    .where('app_id', '=', place.appId)
    .where('address', '=', place.address)
    .where('binding', '=', place.binding)
    .where('code_hash', '=', codeHash)
    .returning('address')
    .executeTakeFirst()
  return taken !== undefined
}

export async function isKnownBrowser(reader: Reader, place: CodePlace): Promise<boolean> {
  const known = await reader
    .selectFrom('known_browsers')
    .select('last_seen_at')
    .where('app_id', '=', place.appId)
    .where('identifier', '=', place.address)
    .where('binding', '=', place.binding)
    .executeTakeFirst()
  return known !== undefined
}

export async function rememberBrowser(trx: Trx, place: CodePlace, nowSeconds: number): Promise<void> {
  await trx
    .insertInto('known_browsers')
    .values({
      app_id: place.appId,
      identifier: place.address,
      binding: place.binding,
      last_seen_at: nowSeconds,
    })
    .onConflict((conflict) =>
      conflict.columns(['app_id', 'identifier', 'binding']).doUpdateSet({ last_seen_at: nowSeconds }),
    )
    .execute()
}
