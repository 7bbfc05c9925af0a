/**
 * A contract says everything that may cross one boundary between two windows, a row a call.
 * The channel enforces it; the protocol document is printed from it.
 */
import type * as v from 'valibot'
import type { ErrorCode } from './errors.ts'

export type Schema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>

/** How a call may run: without the user, only by showing the dialog to them, or never for a host. */
export type CallPolicy = 'headless' | 'needs-user' | 'dialog-only'

export type CallRow = {
  readonly says: string
  readonly input: Schema
  readonly output: Schema
  readonly policy: CallPolicy
  readonly deadlineMs: number
  readonly maxBytes?: number
  readonly errors: readonly ErrorCode[]
}
export type CallRows = Readonly<Record<string, CallRow>>

export type Contract<Parent extends CallRows = CallRows, Child extends CallRows = CallRows> = {
  readonly name: string
  readonly parties: { readonly parent: string; readonly child: string }
  readonly originRule: { readonly parent: string; readonly child: string }
  /** What the embedding window serves. */
  readonly parent: Parent
  /** What the embedded window serves. */
  readonly child: Child
}

export type Side = 'parent' | 'child'
export type Other<S extends Side> = S extends 'parent' ? 'child' : 'parent'

export type CallInput<R extends CallRow> = v.InferInput<R['input']>
export type CallOutput<R extends CallRow> = v.InferOutput<R['output']>

/** What a side must implement: the parsed input in, an answer that the schema accepts out. */
export type Handlers<Rows extends CallRows> = {
  readonly [Name in keyof Rows]: (
    data: v.InferOutput<Rows[Name]['input']>,
  ) => Promise<v.InferInput<Rows[Name]['output']>> | v.InferInput<Rows[Name]['output']>
}
