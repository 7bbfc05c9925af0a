/**
 * What is said of an error: the catalogue of the specification, in one form. Each capability has its part of it
 * beside the screens that say it, and it comes with them.
 */
import type { ErrorCode } from '@latchkey/protocol'

export type ErrorTable<Said> = {
  readonly byCode: { readonly [code in ErrorCode]?: Said }
  /** Of every code that has no row. */
  readonly other: Said
}

export const saidOf = <Said>({ byCode, other }: ErrorTable<Said>, code: ErrorCode): Said =>
  byCode[code] ?? other
