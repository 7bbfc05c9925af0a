/** How a vault hears requests: each is parsed, done, and answered with a plain value, whatever becomes of it. */
import { LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import type { VaultAnswer } from './contract.ts'
import { callId, stopSchema } from './stop.ts'

type Schemas = Readonly<Record<string, v.GenericSchema>>
/** The request that stops a call, which this file serves for every vault. */
type Stop = 'stop'

export type Handlers<Inputs extends Schemas, Outputs extends Schemas> = {
  [Name in Exclude<keyof Inputs & keyof Outputs & string, Stop>]: (
    input: v.InferOutput<Inputs[Name]>,
    signal: AbortSignal,
  ) => v.InferOutput<Outputs[Name]> | Promise<v.InferOutput<Outputs[Name]>>
}

export type Served = { call: (request: unknown) => Promise<VaultAnswer> }

const callSchema = v.strictObject({ id: callId, name: v.string(), input: v.unknown() })

type AnyHandler = (input: unknown, signal: AbortSignal) => unknown

export function serveRequests<Inputs extends Schemas, Outputs extends Schemas>({
  inputs,
  handlers,
  openForMs,
}: {
  inputs: Inputs
  handlers: Handlers<Inputs, Outputs>
  /** How long something may still be open here; 0 when nothing is. */
  openForMs: () => number
}): Served {
  const running = new Map<string, AbortController>()
  const all: Readonly<Record<string, AnyHandler>> = {
    ...(handlers as Readonly<Record<string, AnyHandler>>),
    stop: (input) => {
      const { call } = parse(stopSchema, input)
      running.get(call)?.abort(new LatchkeyError('call_cancelled', 'Nobody waits for this call any more'))
      return {}
    },
  }

  async function run(request: unknown): Promise<unknown> {
    const { id, name, input } = parse(callSchema, request)
    const schema = Object.hasOwn(inputs, name) ? inputs[name] : undefined
    const handle = all[name]
    if (!schema || !handle) throw refused('name')
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
  throw refused(v.getDotPath(parsed.issues[0]) ?? '')
}

const refused = (path: string) =>
  new LatchkeyError('invalid_request_arguments', 'The vault refused the request', {
    details: { reason: path },
  })

/** Only a code, a sentence of ours and a reason leave: never a cause, a stack or a value. */
function toPlainError(error: unknown): Extract<VaultAnswer, { ok: false }>['error'] {
  const { code, message, details } = toLatchkeyError(error, 'error', 'The vault could not do this')
  const reason = v.safeParse(v.object({ reason: v.string() }), details)
  return { code, message, ...(reason.success && { details: { reason: reason.output.reason } }) }
}
