/**
 * Parses the types of a request: a function signature such as `swap(address to,uint256 amount)`, and an EIP-712 type
 * such as `Order(Item[] items)Item(address token)`.
 */
import type { AbiParameter } from 'viem'
import { descriptorLimits } from '../limits.ts'
import { invalid } from '../refusal.ts'

export type Shape =
  | { kind: 'value'; type: string }
  | { kind: 'list'; of: Shape; length: number | undefined }
  | { kind: 'struct'; fields: ReadonlyMap<string, Shape> }
export type StructShape = Extract<Shape, { kind: 'struct' }>

const token = /\s*([A-Za-z_$][A-Za-z0-9_$]*|[(),]|\[[0-9]{0,5}\])/y
const endOfText = /\s*$/y

/** Reads the tokens of a text from left to right. */
function createTokens(text: string, path: string) {
  if (text.length > descriptorLimits.maxSignatureLength) throw invalid(path, 'is too long')
  let at = 0
  const peek = () => {
    token.lastIndex = at
    return token.exec(text)
  }
  const next = (): string => {
    const match = peek()
    if (!match) throw invalid(path, 'is not a signature')
    at = token.lastIndex
    return match[1] ?? ''
  }
  return {
    next,
    nextIf(isWanted: (token: string) => boolean): string | undefined {
      const nextToken = peek()?.[1]
      return nextToken !== undefined && isWanted(nextToken) ? next() : undefined
    },
    expect(wanted: string) {
      if (next() !== wanted) throw invalid(path, `needs ${wanted} at position ${at}`)
    },
    isAtEnd() {
      endOfText.lastIndex = at
      return endOfText.test(text)
    },
  }
}
type Tokens = ReturnType<typeof createTokens>

const isName = (text: string) => /^[A-Za-z_$]/.test(text)
const isBrackets = (text: string) => text.startsWith('[')
const dataLocations = new Set(['memory', 'calldata', 'storage'])

const atomic = /^(?:bool|address|string|bytes|(u?int)([1-9][0-9]{0,2})|bytes([1-9][0-9]?))$/
const aliases: ReadonlyMap<string, string> = new Map([
  ['uint', 'uint256'],
  ['int', 'int256'],
])

function parseAtomic(name: string): string | undefined {
  const type = aliases.get(name) ?? name
  const match = atomic.exec(type)
  if (!match) return undefined
  const [, integer, bits, bytes] = match
  const isValid =
    integer === undefined ? Number(bytes ?? 1) <= 32 : Number(bits) % 8 === 0 && Number(bits) <= 256
  return isValid ? type : undefined
}

type Parameter = { name: string; shape: Shape; abi: AbiParameter }

function parseParameters(tokens: Tokens, path: string, depth: number): Parameter[] {
  if (depth > descriptorLimits.maxNesting) throw invalid(path, 'has too many nested tuples')
  const parameters: Parameter[] = []
  if (tokens.nextIf((text) => text === ')') !== undefined) return parameters
  for (;;) {
    parameters.push(parseParameter(tokens, path, depth, parameters.length))
    if (tokens.nextIf((text) => text === ')') !== undefined) break
    tokens.expect(',')
  }
  if (new Set(parameters.map(({ name }) => name)).size !== parameters.length) {
    throw invalid(path, 'has two parameters with the same name')
  }
  return parameters
}

/** Parses one parameter. A parameter without a name is called by its position, such as `_0`. */
function parseParameter(tokens: Tokens, path: string, depth: number, position: number): Parameter {
  const first = tokens.next()
  let shape: Shape
  let type: string
  let components: AbiParameter[] | undefined
  if (first === '(' || (first === 'tuple' && tokens.nextIf((text) => text === '(') !== undefined)) {
    const inner = parseParameters(tokens, path, depth + 1)
    // Any number of empty tuples would fit into no bytes.
    if (inner.length === 0) throw invalid(path, 'has an empty tuple')
    shape = { kind: 'struct', fields: new Map(inner.map((each) => [each.name, each.shape])) }
    components = inner.map(({ abi }) => abi)
    type = 'tuple'
  } else {
    const atomicType = parseAtomic(first)
    if (atomicType === undefined) throw invalid(path, `has the unknown type ${first}`)
    shape = { kind: 'value', type: atomicType }
    type = atomicType
  }
  for (let lists = 0; ; lists += 1) {
    const brackets = tokens.nextIf(isBrackets)
    if (brackets === undefined) break
    if (lists >= descriptorLimits.maxNesting) throw invalid(path, 'has too many nested lists')
    shape = { kind: 'list', of: shape, length: parseLength(brackets, path) }
    type += brackets
  }
  tokens.nextIf((text) => dataLocations.has(text))
  const name = tokens.nextIf(isName) ?? `_${position}`
  // viem gets names of our own: it stores them as keys of plain objects.
  const abi = { name: `p${position}`, type, ...(components && { components }) } as AbiParameter
  return { name, shape, abi }
}

function parseLength(brackets: string, path: string): number | undefined {
  if (brackets === '[]') return undefined
  const length = Number(brackets.slice(1, -1))
  if (length === 0 || brackets.startsWith('[0')) throw invalid(path, 'has a list without items')
  return length
}

export type FunctionShape = { name: string; inputs: AbiParameter[]; shape: StructShape }

export function parseFunction(signature: string, path: string): FunctionShape {
  const tokens = createTokens(signature, path)
  tokens.nextIf((text) => text === 'function')
  const name = tokens.next()
  if (!isName(name)) throw invalid(path, 'needs the name of a function')
  tokens.expect('(')
  const parameters = parseParameters(tokens, path, 1)
  if (!tokens.isAtEnd()) throw invalid(path, 'has text after the parameters')
  return {
    name,
    inputs: parameters.map(({ abi }) => abi),
    shape: { kind: 'struct', fields: new Map(parameters.map((each) => [each.name, each.shape])) },
  }
}

/** Returns the signature without names. The selector is the start of its hash. */
export const formatSignature = ({ name, inputs }: Pick<FunctionShape, 'name' | 'inputs'>): string =>
  `${name}(${inputs.map(formatType).join(',')})`

function formatType(parameter: AbiParameter): string {
  if (!('components' in parameter)) return parameter.type
  return `(${parameter.components.map(formatType).join(',')})${parameter.type.slice('tuple'.length)}`
}

type StructField = { name: string; base: string; brackets: string[] }

/** Parses the EIP-712 encoding of a type with its dependencies. Refuses types that contain themselves. */
export function parseEncodedType(text: string, path: string): { primaryType: string; shape: StructShape } {
  const tokens = createTokens(text, path)
  const structs = new Map<string, StructField[]>()
  let primaryType: string | undefined
  while (!tokens.isAtEnd()) {
    const name = tokens.next()
    if (!isName(name) || structs.has(name) || parseAtomic(name) !== undefined) {
      throw invalid(path, `cannot have the type ${name} here`)
    }
    primaryType ??= name
    structs.set(name, parseStructFields(tokens, path))
  }
  if (primaryType === undefined) throw invalid(path, 'is empty')
  return { primaryType, shape: toStructShape(structs, primaryType, path) }
}

function parseStructFields(tokens: Tokens, path: string): StructField[] {
  tokens.expect('(')
  const fields: StructField[] = []
  if (tokens.nextIf((text) => text === ')') !== undefined) return fields
  for (;;) {
    const base = tokens.next()
    const brackets: string[] = []
    for (let each = tokens.nextIf(isBrackets); each !== undefined; each = tokens.nextIf(isBrackets)) {
      brackets.push(each)
    }
    const name = tokens.next()
    if (!isName(base) || !isName(name)) throw invalid(path, 'needs a type and a name for each field')
    if (fields.some((field) => field.name === name)) throw invalid(path, `has the field ${name} twice`)
    fields.push({ name, base, brackets })
    if (tokens.nextIf((text) => text === ')') !== undefined) return fields
    tokens.expect(',')
  }
}

function toStructShape(
  structs: ReadonlyMap<string, StructField[]>,
  primaryType: string,
  path: string,
): StructShape {
  const shapes = new Map<string, StructShape>()
  function build(name: string, parents: string[]): StructShape {
    const built = shapes.get(name)
    if (built) return built
    if (parents.includes(name)) throw invalid(path, `has the type ${name} inside itself`)
    if (parents.length >= descriptorLimits.maxNesting) throw invalid(path, 'has too many nested types')
    const fields = structs.get(name)
    if (!fields) throw invalid(path, `has the unknown type ${name}`)
    const shape: StructShape = {
      kind: 'struct',
      fields: new Map(
        fields.map((field) => {
          const type = parseAtomic(field.base)
          const base: Shape =
            type === undefined ? build(field.base, [...parents, name]) : { kind: 'value', type }
          return [
            field.name,
            field.brackets.reduce<Shape>(
              (of, each) => ({ kind: 'list', of, length: parseLength(each, path) }),
              base,
            ),
          ] as const
        }),
      ),
    }
    shapes.set(name, shape)
    return shape
  }
  return build(primaryType, [])
}
