/** Paths of a descriptor, such as `#.orders.[].amount`, `token.[-20:]` and `@.value`. */
import { descriptorLimits } from '../limits.ts'
import { invalid, notSupported } from '../refusal.ts'
import type { Shape } from './shape.ts'
import type { Leaf, Value } from './value.ts'

/** Values of the request around its data. */
export const containerTypes = {
  from: 'address',
  to: 'address',
  value: 'uint256',
  chainId: 'uint256',
} as const satisfies Record<string, string>
export type ContainerField = keyof typeof containerTypes
export type Container = { [Field in ContainerField]: string | undefined }

export type Step =
  | { kind: 'field'; name: string }
  | { kind: 'each' }
  | { kind: 'index'; at: number }
  /** A part of bytes. Only the last step may be one. */
  | { kind: 'slice'; from: number; to: number | undefined }
export type Path = { from: 'container'; field: ContainerField } | { from: 'data'; steps: Step[] }

const isContainerField = (name: string): name is ContainerField => Object.hasOwn(containerTypes, name)

const fieldName = /^[A-Za-z_$][A-Za-z0-9_$]*$/
const indexStep = /^\[(-?[0-9]{1,5})\]$/
const sliceStep = /^\[(-?[0-9]{1,5})?:(-?[0-9]{1,5})?\]$/

/** Parses a path and checks it against the type of the data. `parents` are the steps of the enclosing group. */
export function parsePath(text: string, shape: Shape, at: string, parents: Step[] = []): Path {
  if (text.length > descriptorLimits.maxPathLength) throw invalid(at, 'is too long')
  if (text.startsWith('$')) throw notSupported(at, 'is a constant of the descriptor, which describes nothing')
  const path = parseSteps(text, at, parents)
  if (path.from === 'data') assertLeaf(path.steps, shape, at)
  return path
}

export function parseSteps(text: string, at: string, parents: Step[] = []): Path {
  const [root, ...rest] = text.split('.')
  if (root === '@') {
    const [field = ''] = rest
    if (rest.length !== 1 || !isContainerField(field)) throw invalid(at, `is no value of a request: ${text}`)
    return { from: 'container', field }
  }
  if (root === '#') return { from: 'data', steps: rest.map((part) => parseStep(part, at)) }
  return { from: 'data', steps: [...parents, ...text.split('.').map((part) => parseStep(part, at))] }
}

function parseStep(part: string, at: string): Step {
  if (fieldName.test(part)) return { kind: 'field', name: part }
  if (part === '[]') return { kind: 'each' }
  const [, index] = indexStep.exec(part) ?? []
  if (index !== undefined) return { kind: 'index', at: Number(index) }
  const slice = sliceStep.exec(part)
  if (!slice || part === '[:]') throw invalid(at, `has the unknown step ${part}`)
  const [, from, to] = slice
  return { kind: 'slice', from: Number(from ?? 0), to: to === undefined ? undefined : Number(to) }
}

/** Throws unless the path leads to one value, or to one in each item of lists. */
function assertLeaf(steps: Step[], whole: Shape, at: string): void {
  let shape = whole
  for (const [position, step] of steps.entries()) {
    switch (step.kind) {
      case 'field': {
        const inner = shape.kind === 'struct' ? shape.fields.get(step.name) : undefined
        if (!inner) throw invalid(at, `names ${step.name}, which is not in the data`)
        shape = inner
        break
      }
      case 'each':
      case 'index': {
        if (shape.kind !== 'list') throw invalid(at, 'has an index of a value that is no list')
        const { length } = shape
        const isOutside =
          step.kind === 'index' && length !== undefined && (step.at >= length || step.at < -length)
        if (isOutside) throw invalid(at, `is out of the bounds of a list of ${length}`)
        shape = shape.of
        break
      }
      case 'slice':
        if (position !== steps.length - 1) throw invalid(at, 'goes on after a part of bytes')
        if (shape.kind !== 'value' || !hasBytes(shape.type)) throw invalid(at, 'takes a part of no bytes')
        break
      default:
        step satisfies never
    }
  }
  if (shape.kind !== 'value')
    throw invalid(at, 'leads to no single value: end it at one, or use [] for each item')
}

const hasBytes = (type: string) => type.startsWith('bytes') || type.startsWith('uint') || type === 'address'

export type Match = {
  leaf: Leaf
  /** The concrete path, unless it names only a part of the value or a value around the data. */
  covers: string | undefined
  /** The positions at which each `[]` was resolved. */
  positions: number[]
}

/**
 * Returns the values that a path names. Throws a `RangeError` if it leads out of the data. `positions` fixes each `[]`
 * of a path that belongs to another one, such as the token of an amount.
 */
export function resolvePath(
  path: Path,
  { data, container }: { data: Value; container: Container },
  positions?: number[],
): Match[] {
  if (path.from === 'container') {
    const text = container[path.field]
    if (text === undefined) throw new RangeError(`The request has no ${path.field}`)
    const leaf: Leaf = { kind: 'value', type: containerTypes[path.field], text }
    return [{ leaf, covers: undefined, positions: [] }]
  }
  const matches: Match[] = []
  for (const match of walk(data, path.steps, { path: '', positions: [], isPart: false }, positions)) {
    if (matches.length >= descriptorLimits.maxLines) throw new RangeError('The path names too many values')
    matches.push(match)
  }
  return matches
}

type Place = { path: string; positions: number[]; isPart: boolean }

function* walk(
  value: Value,
  [step, ...rest]: Step[],
  place: Place,
  fixedPositions: number[] | undefined,
): Generator<Match> {
  if (step === undefined) {
    if (value.kind !== 'value') throw new RangeError('The path leads to no single value')
    yield { leaf: value, covers: place.isPart ? undefined : place.path, positions: place.positions }
    return
  }
  switch (step.kind) {
    case 'field': {
      const inner = value.kind === 'struct' ? value.fields.get(step.name) : undefined
      if (!inner) throw new RangeError(`There is no ${step.name}`)
      const path = place.path === '' ? step.name : `${place.path}.${step.name}`
      yield* walk(inner, rest, { ...place, path }, fixedPositions)
      return
    }
    case 'index': {
      const { item, at } = getItem(value, step.at)
      yield* walk(item, rest, { ...place, path: `${place.path}[${at}]` }, fixedPositions)
      return
    }
    case 'each': {
      const fixed = fixedPositions?.[place.positions.length]
      const length = value.kind === 'list' ? value.items.length : 0
      for (const position of fixed === undefined ? Array(length).keys() : [fixed]) {
        const { item, at } = getItem(value, position)
        const positions = [...place.positions, at]
        yield* walk(item, rest, { ...place, path: `${place.path}[${at}]`, positions }, fixedPositions)
      }
      return
    }
    case 'slice':
      if (value.kind !== 'value') throw new RangeError('The path takes a part of no bytes')
      yield* walk(slice(value, step), rest, { ...place, isPart: true }, fixedPositions)
      return
    default:
      step satisfies never
  }
}

/** Returns the item of a list. A negative position counts from the end. */
function getItem(value: Value, position: number): { item: Value; at: number } {
  const items = value.kind === 'list' ? value.items : []
  const at = position < 0 ? items.length + position : position
  const item = items[at]
  if (!item) throw new RangeError(`There is no item ${position}`)
  return { item, at }
}

const WORD_DIGITS = 64
const ADDRESS_BYTES = 20

/** Returns a part of the bytes. Twenty bytes are an address. Throws unless all of them exist. */
function slice({ type, text }: Leaf, { from, to }: Extract<Step, { kind: 'slice' }>): Leaf {
  const digits = type.startsWith('uint')
    ? BigInt(text).toString(16).padStart(WORD_DIGITS, '0')
    : text.slice(2)
  const length = digits.length / 2
  const toPosition = (position: number) => (position < 0 ? length + position : position)
  const [first, end] = [toPosition(from), to === undefined ? length : toPosition(to)]
  if (first < 0 || end > length || first >= end)
    throw new RangeError('The part is out of the bounds of the bytes')
  const part = `0x${digits.slice(2 * first, 2 * end).toLowerCase()}`
  return { kind: 'value', type: end - first === ADDRESS_BYTES ? 'address' : 'bytes', text: part }
}
