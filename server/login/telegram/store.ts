import type { Reader, Trx } from '../../kernel/ports.ts'
import { type TelegramTables, telegramTables } from './tables.ts'

export type TelegramWindow = TelegramTables['telegram_windows']

/** True for the first who brings it. */
export async function useUp(trx: Trx, hash: string, expiresAt: number): Promise<boolean> {
  const used = await telegramTables(trx)
    .insertInto('telegram_used')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('hash')
    .executeTakeFirst()
  return used !== undefined
}

/** False where there is one of this handle. */
export async function insertWindow(trx: Trx, window: TelegramWindow): Promise<boolean> {
  const inserted = await telegramTables(trx)
    .insertInto('telegram_windows')
    .values(window)
    .onConflict((conflict) => conflict.column('handle').doNothing())
    .returning('handle')
    .executeTakeFirst()
  return inserted !== undefined
}

export const findWindows = (
  reader: Reader,
  handles: readonly string[],
  nowSeconds: number,
): Promise<TelegramWindow[]> =>
  telegramTables(reader)
    .selectFrom('telegram_windows')
    .selectAll()
    .where('handle', 'in', handles)
    .where('expires_at', '>', nowSeconds)
    .execute()

export const findWindow = async (
  reader: Reader,
  handle: string,
  nowSeconds: number,
): Promise<TelegramWindow | undefined> => (await findWindows(reader, [handle], nowSeconds))[0]

/** What came first stays. */
export const answerWindow = (
  reader: Reader,
  handle: string,
  answer: string,
): Promise<TelegramWindow | undefined> =>
  telegramTables(reader)
    .updateTable('telegram_windows')
    .set({ answer })
    .where('handle', '=', handle)
    .where('answer', 'is', null)
    .returningAll()
    .executeTakeFirst()
