/** Decodes a request into values that paths of a descriptor can address. */
import type { TypedStruct, TypedValue } from '@latchkey/protocol/wallet'
import type { Hex } from 'viem'
import { decodeAbiParameters, encodeAbiParameters } from 'viem/utils'
import type { FunctionShape, Shape, StructShape } from './shape.ts'

/** Integers are decimal texts; bytes and addresses are hex. */
export type Leaf = { kind: 'value'; type: string; text: string }
export type Value =
  | Leaf
  | { kind: 'list'; items: Value[] }
  | { kind: 'struct'; fields: ReadonlyMap<string, Value> }

const SELECTOR_LENGTH = 10

/**
 * Decodes calldata. Returns undefined unless it is exactly the standard encoding of its values, so that no byte
 * can change without a change of a value.
 */
export function decodeCall({ inputs, shape }: FunctionShape, data: string): Value | undefined {
  const encoded: Hex = `0x${data.slice(SELECTOR_LENGTH)}`
  try {
    if (inputs.length === 0) return encoded === '0x' ? { kind: 'struct', fields: new Map() } : undefined
    const decoded = decodeAbiParameters(inputs, encoded)
    if (encodeAbiParameters(inputs, decoded) !== encoded) return undefined
    const fields = [...shape.fields].map(
      ([name, fieldShape], at) => [name, fromDecoded(fieldShape, decoded[at])] as const,
    )
    return { kind: 'struct', fields: new Map(fields) }
  } catch {
    return undefined
  }
}

/** Converts a value of viem, which decodes a tuple as an object. The names in it are those of `parseFunction`. */
function fromDecoded(shape: Shape, decoded: unknown): Value {
  switch (shape.kind) {
    case 'value':
      return { kind: 'value', type: shape.type, text: String(decoded) }
    case 'list':
      return {
        kind: 'list',
        items: (decoded as unknown[]).map((item) => fromDecoded(shape.of, item)),
      }
    case 'struct':
      return {
        kind: 'struct',
        fields: new Map(
          [...shape.fields].map(
            ([name, inner], at) => [name, fromDecoded(inner, Object(decoded)[`p${at}`])] as const,
          ),
        ),
      }
    default:
      return shape satisfies never
  }
}

/** Converts the message of typed data, which is parsed already. */
export const fromTypedData = (shape: StructShape, message: TypedStruct): Value => fromTyped(shape, message)

function fromTyped(shape: Shape, value: TypedValue): Value {
  switch (shape.kind) {
    case 'value':
      return { kind: 'value', type: shape.type, text: String(value) }
    case 'list':
      return {
        kind: 'list',
        items: (value as TypedValue[]).map((item) => fromTyped(shape.of, item)),
      }
    case 'struct':
      return {
        kind: 'struct',
        fields: new Map(
          [...shape.fields].map(
            ([name, inner]) => [name, fromTyped(inner, (value as TypedStruct)[name] ?? '')] as const,
          ),
        ),
      }
    default:
      return shape satisfies never
  }
}

/** Returns all values with their paths, such as `orders[0].amount`. */
export function* listLeaves(value: Value, path = ''): Generator<[path: string, leaf: Leaf]> {
  switch (value.kind) {
    case 'value':
      yield [path, value]
      return
    case 'list':
      for (const [at, item] of value.items.entries()) yield* listLeaves(item, `${path}[${at}]`)
      return
    case 'struct':
      for (const [name, inner] of value.fields) {
        yield* listLeaves(inner, path === '' ? name : `${path}.${name}`)
      }
      return
    default:
      return value satisfies never
  }
}
