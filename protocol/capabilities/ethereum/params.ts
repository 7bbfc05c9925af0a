/** Parses the params of provider methods. */
import type * as v from 'valibot'
import { parse } from '../../channel/envelope.ts'
import type { ErrorCode } from '../../errors/error-codes.ts'
import { LatchkeyError } from '../../errors/errors.ts'
import {
  type EthereumMethod,
  type EthereumMethodRow,
  type ethereumMethods,
  explainMissingMethod,
  getEthereumMethod,
} from './methods.ts'

type Outputs<Schemas extends readonly unknown[]> = {
  [Position in keyof Schemas]: Schemas[Position] extends v.GenericSchema<unknown, infer Output>
    ? Output
    : never
}
/** Params of a method. Optional trailing params are included. */
export type ParamsOf<Method extends EthereumMethod> = Outputs<(typeof ethereumMethods)[Method]['params']>

const code: ErrorCode = 'invalid_data'

export function parseParams(method: string, params: readonly unknown[]): readonly unknown[] {
  const row = getEthereumMethod(method)
  if (!row) throw new LatchkeyError('method_not_found', explainMissingMethod(method).message)
  const { params: schemas, required = schemas.length, blockAt } = row
  if (params.length < required) {
    throw new LatchkeyError(code, `${method} needs ${required} params, and there are ${params.length}`)
  }
  if (params.length > schemas.length) {
    throw new LatchkeyError(code, `${method} takes ${schemas.length} params, and there are ${params.length}`)
  }
  const read = params.map((value, position) => readParam(schemas[position], value, `params[${position}]`))
  return read.length === blockAt ? [...read, 'latest'] : read
}

function readParam(schema: EthereumMethodRow['params'][number] | undefined, value: unknown, at: string) {
  if (!schema) return value
  try {
    return parse(schema, value, code)
  } catch (cause) {
    const { message, details } = Object(cause)
    const inner = Object(details).path
    const path = inner ? `${at}.${inner}` : at
    throw new LatchkeyError(code, `${path}: ${message}`, { cause, details: { path } })
  }
}
