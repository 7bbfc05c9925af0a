import type { Reader } from '../ports.ts'

/** The slots that are taken now, each with the time at which it is free again. */
export async function slotsInUse(
  reader: Reader,
  slots: readonly string[],
  nowSeconds: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .selectFrom('attempts')
    .select(['key', 'expires_at'])
    .where('key', 'in', slots)
    .where('expires_at', '>', nowSeconds)
    .execute()
  return new Map(rows.map((row) => [row.key, row.expires_at]))
}

export async function takeSlot(
  reader: Reader,
  slot: string,
  nowSeconds: number,
  expiresAt: number,
): Promise<boolean> {
  const taken = await reader
    .insertInto('attempts')
    .values({ key: slot, window_start: nowSeconds, count: 1, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ window_start: nowSeconds, count: 1, expires_at: expiresAt })
        .where('attempts.expires_at', '<=', nowSeconds),
    )
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}

/** Counts one more in the window that is open, or opens the next, unless the open one is full. */
export async function takeOfCounter(
  reader: Reader,
  key: string,
  { limit, nowSeconds, expiresAt }: { limit: number; nowSeconds: number; expiresAt: number },
): Promise<boolean> {
  const counted = await reader
    .insertInto('attempts')
    .values({ key, window_start: nowSeconds, count: 1, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((row) => {
          const isOver = row('attempts.expires_at', '<=', nowSeconds)
          return {
            count: row
              .case()
              .when(isOver)
              .then(1)
              .else(row('attempts.count', '+', 1))
              .end(),
            window_start: row
              .case()
              .when(isOver)
              .then(nowSeconds)
              .else(row.ref('attempts.window_start'))
              .end(),
            expires_at: row.case().when(isOver).then(expiresAt).else(row.ref('attempts.expires_at')).end(),
          }
        })
        .where((row) =>
          row.or([row('attempts.expires_at', '<=', nowSeconds), row('attempts.count', '<', limit)]),
        ),
    )
    .returning('key')
    .executeTakeFirst()
  return counted !== undefined
}

/** A slot is emptied by this, and a counter counts one less. */
export async function giveBack(reader: Reader, key: string): Promise<void> {
  await reader
    .updateTable('attempts')
    .set((row) => ({
      count: row('count', '-', 1),
      expires_at: row.case().when('count', '<=', 1).then(0).else(row.ref('expires_at')).end(),
    }))
    .where('key', '=', key)
    .execute()
}
