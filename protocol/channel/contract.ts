/**
 * A contract between two windows, in three parts:
 *
 * - calls: one row per call with its policy, applied before any data is parsed;
 * - received messages of each side: schemas of the calls it serves and of the answers it gets. The receiver parses, and
 *    the sender only uses the receiver's types. So each side imports only the schemas it receives;
 * - documentation: descriptions and error codes (`doc.ts` of each contract).
 */
import type * as v from 'valibot'

export type Schema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>

/** How a call may run: without the user, only by showing the dialog, or for the dialog only. */
export type CallPolicy = 'headless' | 'needs-user' | 'dialog-only'

export type CallQueue = 'calls' | 'reads'

/** When a second factor is required: never, before the first try, or on retry after a refusal. */
export type Verification = 'never' | 'first' | 'retry'

export type CallRule = {
  policy: CallPolicy
  /** How long the caller waits. Unset for calls that wait for the user: the serving side ends them. */
  deadlineMs?: number
  maxBytes?: number
  /** Maximum size of the answer. Defaults to that of the request. */
  maxAnswerBytes?: number
  /** The rate limit queue. Defaults to `calls`. */
  queue?: CallQueue
  verification?: Verification
}

/** A call with data `{ request: { method, params } }` has a rule per accepted method. */
export type CallRow = CallRule & { methods?: Readonly<Record<string, Partial<CallRule>>> }
export type CallRows = Readonly<Record<string, CallRow>>

export type Contract = {
  name: string
  /** Calls that the embedding window serves. */
  parent: CallRows
  /** Calls that the embedded window serves. */
  child: CallRows
  /** Used for contracts with methods in their rows. */
  resolveRule?: RuleResolver
}

export type Side = 'parent' | 'child'

type Schemas = Readonly<Record<string, Schema>>
export type ReceivedMessages = {
  /** Data of the calls that this side serves. */
  calls: Schemas
  /** Answers to the calls that this side makes. */
  answers: Schemas
}

/** The types of a call, as its receivers parse them. */
export type Call = { input: Schema; output: Schema }
export type Calls = Readonly<Record<string, Call>>
export type ServedBy<Own extends ReceivedMessages, Remote extends ReceivedMessages> = {
  readonly [Name in keyof Own['calls'] & keyof Remote['answers']]: {
    input: Own['calls'][Name]
    output: Remote['answers'][Name]
  }
}

export type CallInput<C extends Call> = v.InferInput<C['input']>
export type CallOutput<C extends Call> = v.InferOutput<C['output']>

/** The signal aborts when the caller cancelled, timed out or disconnected. */
export type CallContext = { signal: AbortSignal }

/** Implementations of a side: parsed data in, an answer that fits the other side's schema out. */
export type Handlers<C extends Calls> = {
  [Name in keyof C]: (
    data: v.InferOutput<C[Name]['input']>,
    context: CallContext,
  ) => Promise<v.InferInput<C[Name]['output']>> | v.InferInput<C[Name]['output']>
}

/** Returns the rule of a call with this data, or undefined for an unlisted method. */
export type RuleResolver = (row: CallRow, data: unknown) => CallRule | undefined

/** Returns the rule of a row without methods. */
export const getRowRule: RuleResolver = (row) => row

export const getMethodRule: RuleResolver = (row, data) => {
  const { methods } = row
  if (!methods) return row
  const request: unknown = Object(Object(data).request)
  const method = String(Reflect.get(Object(request), 'method'))
  return Object.hasOwn(methods, method) ? { ...row, ...methods[method] } : undefined
}
