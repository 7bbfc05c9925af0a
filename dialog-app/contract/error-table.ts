/**
 * The error catalogue of the specification, as tables by error code. Each capability keeps its table beside its
 * screens, so that both load together.
 */
import type { ErrorCode } from '@latchkey/protocol'

export type ErrorTable<Row> = {
  byCode: { [code in ErrorCode]?: Row }
  /** The row for all other codes. */
  other: Row
}

export const rowFor = <Row>({ byCode, other }: ErrorTable<Row>, code: ErrorCode): Row => byCode[code] ?? other
