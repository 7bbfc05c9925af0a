/**
 * The tables, as both engines have them: text keys, JSON as text that SQL never looks into, booleans as 0 and 1, bytes
 * as base64url text, and times as epoch seconds unless a name says otherwise. Migrations make them.
 *
 * Whoever owns a table declares it beside the statements that use it. One that other areas read too is declared here:
 *
 *     declare module '../../kernel/db/schema.ts' {
 *       interface Database {
 *         notes: NoteTable
 *       }
 *     }
 *
 * One that nobody else reads is not: its owner has it by `reader.withTables<{ notes: NoteTable }>()`.
 */
import type { Selectable } from 'kysely'

// biome-ignore lint/suspicious/noEmptyInterface: whoever owns a table adds it.
export interface Database {}

export type Row<Table extends keyof Database> = Selectable<Database[Table]>
