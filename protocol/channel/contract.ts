/**
 * A contract between two windows, in three parts that meet in types:
 *
 * - its calls: what each side serves, a row a call, with what is decided before any data is read;
 * - what each side hears: the schemas of the questions that it takes and of the answers that it gets. Whoever
 *   receives parses; whoever sends has the receiver's types. So a side imports the schemas of what it hears alone.
 * - a table of sentences and error codes beside it, for the document (`doc.ts` of each contract).
 */
import type * as v from 'valibot'

export type Schema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>

/** How a call may run: without the user, only by showing the dialog to them, or never for a host. */
export type CallPolicy = 'headless' | 'needs-user' | 'dialog-only'

export type CallQueue = 'calls' | 'reads'

/** Whether a second factor is asked for: before the first try, after one was refused for the lack of it, or never. */
export type Verification = 'never' | 'first' | 'retry'

export type CallRule = {
  policy: CallPolicy
  /** How long the caller waits. None where a person is waited for: then whoever serves the call ends it. */
  deadlineMs?: number
  maxBytes?: number
  /** Of what is answered; as much as is asked, where none is said. */
  maxAnswerBytes?: number
  /** Which calls it waits behind: the other calls, where none is said. */
  queue?: CallQueue
  verification?: Verification
}

/** A call whose data is `{ request: { method, params } }` has a rule for each method that it takes. */
export type CallRow = CallRule & { methods?: Readonly<Record<string, Partial<CallRule>>> }
export type CallRows = Readonly<Record<string, CallRow>>

export type Contract = {
  name: string
  /** What the embedding window serves. */
  parent: CallRows
  /** What the embedded window serves. */
  child: CallRows
  /** Where rows have methods. */
  resolveRule?: RuleResolver
}

export type Side = 'parent' | 'child'

type Schemas = Readonly<Record<string, Schema>>
export type ReceivedMessages = {
  /** The data of calls that this side serves. */
  calls: Schemas
  /** The answers to calls that this side makes. */
  answers: Schemas
}

/** A row in types: what goes in and what comes out, each as its receiver reads it. */
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

/** The signal says that nobody waits for the answer any more: the caller cancelled, gave up, or is gone. */
export type CallContext = { signal: AbortSignal }

/** What a side must implement: the parsed data in, an answer that the other side's schema accepts out. */
export type Handlers<C extends Calls> = {
  [Name in keyof C]: (
    data: v.InferOutput<C[Name]['input']>,
    context: CallContext,
  ) => Promise<v.InferInput<C[Name]['output']>> | v.InferInput<C[Name]['output']>
}

/** What holds for a call with this data; undefined for a method that the row does not list. */
export type RuleResolver = (row: CallRow, data: unknown) => CallRule | undefined

/** What holds for a call where no row has methods. */
export const getRowRule: RuleResolver = (row) => row

export const getMethodRule: RuleResolver = (row, data) => {
  const { methods } = row
  if (!methods) return row
  const request: unknown = Object(Object(data).request)
  const method = String(Reflect.get(Object(request), 'method'))
  return Object.hasOwn(methods, method) ? { ...row, ...methods[method] } : undefined
}
