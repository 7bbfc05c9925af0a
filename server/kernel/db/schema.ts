/**
 * The tables. Both engines use text keys, JSON stored as text that SQL never inspects, booleans as 0 and 1, and bytes
 * as base64url text. Times are epoch seconds unless the column name has another unit. Migrations create the tables.
 *
 * The owner of a table declares it next to its statements. If other areas read it too, it is declared globally:
 *
 *     declare module '../../kernel/db/schema.ts' {
 *       interface Database {
 *         notes: NoteTable
 *       }
 *     }
 *
 * A private table is declared with `reader.withTables<{ notes: NoteTable }>()` instead.
 */
import type { Selectable } from 'kysely'

// biome-ignore lint/suspicious/noEmptyInterface: the owners of tables add them.
export interface Database {}

export type Row<Table extends keyof Database> = Selectable<Database[Table]>
