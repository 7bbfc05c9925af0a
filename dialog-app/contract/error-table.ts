/**
 * What is said of an error: the catalogue of the specification, in one form. Each capability has its part of it
 * beside the screens that say it, and it comes with them.
 */
import type { ErrorCode } from '@latchkey/protocol'

export type ErrorTable<Row> = {
  byCode: { [code in ErrorCode]?: Row }
  /** The row of every code that has none of its own. */
  other: Row
}

export const rowFor = <Row>({ byCode, other }: ErrorTable<Row>, code: ErrorCode): Row => byCode[code] ?? other
