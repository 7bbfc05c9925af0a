/** Serves the requests of a vault: parses each one, runs its handler, and always returns a plain value. */
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import type { VaultAnswer } from './contract.ts'
import { callId, stopSchema } from './stop.ts'

type Schemas = Readonly<Record<string, v.GenericSchema>>
/** The request that stops a call. This file handles it for every vault. */
type Stop = 'stop'

export type Handlers<Inputs extends Schemas, Outputs extends Schemas> = {
  [Name in Exclude<keyof Inputs & keyof Outputs & string, Stop>]: (
    input: v.InferOutput<Inputs[Name]>,
    signal: AbortSignal,
  ) => v.InferOutput<Outputs[Name]> | Promise<v.InferOutput<Outputs[Name]>>
}

export type VaultServer = { call: (request: unknown) => Promise<VaultAnswer> }

const callSchema = v.strictObject({ id: callId, name: v.string(), input: v.unknown() })

type AnyHandler = (input: unknown, signal: AbortSignal) => unknown

export function serveRequests<Inputs extends Schemas, Outputs extends Schemas>({
  inputs,
  handlers,
  openForMs,
}: {
  inputs: Inputs
  handlers: Handlers<Inputs, Outputs>
  /** Returns how long this vault may still be needed; 0 if nothing is open. */
  openForMs: () => number
}): VaultServer {
  const running = new Map<string, AbortController>()
  const all: Readonly<Record<string, AnyHandler>> = {
    ...(handlers as Readonly<Record<string, AnyHandler>>),
    stop: (input) => {
      const { call } = parse(stopSchema, input)
      running.get(call)?.abort(new LatchkeyError('call_cancelled', 'The caller aborted this call'))
      return {}
    },
  }

  async function run(request: unknown): Promise<unknown> {
    const { id, name, input } = parse(callSchema, request)
    const schema = Object.hasOwn(inputs, name) ? inputs[name] : undefined
    const handle = all[name]
    if (!schema || !handle) throw invalidRequest('name')
    const controller = new AbortController()
    running.set(id, controller)
    try {
      return await handle(parse(schema, input), controller.signal)
    } finally {
      running.delete(id)
    }
  }

  return {
    call: async (request) => {
      try {
        const value = await run(request)
        return { ok: true, openForMs: openForMs(), value }
      } catch (error) {
        return { ok: false, openForMs: openForMs(), error: toPlainError(error) }
      }
    },
  }
}

function parse<const Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value)
  if (parsed.success) return parsed.output
  throw invalidRequest(v.getDotPath(parsed.issues[0]) ?? '')
}

const invalidRequest = (path: string) =>
  new LatchkeyError('invalid_request_arguments', 'The vault refused the request', {
    details: { reason: path },
  })

/** Returns only a code, a message of our own and a reason: never a cause, a stack or a value. */
function toPlainError(error: unknown): Extract<VaultAnswer, { ok: false }>['error'] {
  const { code, message, details } = toLatchkeyError(error, 'error', 'The vault could not do this')
  const reason = v.safeParse(v.object({ reason: v.string() }), details)
  return { code, message, ...(reason.success && { details: { reason: reason.output.reason } }) }
}
