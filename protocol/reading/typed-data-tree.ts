/** Typed data as a tree, for display and for copying. */
import {
  domainType,
  parseArrayType,
  type TypedData,
  type TypedStruct,
  type TypedValue,
} from '../capabilities/sign/typed-data.ts'

export type TreeNode = {
  name: string
  /** The type as declared, such as `Person[]`. */
  type: string
  value: string | readonly TreeNode[]
}

/** Returns the message first, then the domain. */
export function toTypedDataTree({ types, primaryType, domain, message }: TypedData): readonly TreeNode[] {
  const parts = primaryType === domainType ? [] : [toNode(types, primaryType, primaryType, message)]
  return [...parts, toNode(types, 'domain', domainType, domain)]
}

function toNode(types: TypedData['types'], name: string, type: string, value: TypedValue): TreeNode {
  const array = parseArrayType(type)
  if (array && Array.isArray(value)) {
    const items = value.map((item, position) => toNode(types, String(position), array.element, item))
    return { name, type, value: items }
  }
  if (typeof value === 'object' && !Array.isArray(value)) {
    return { name, type, value: toFieldNodes(types, type, value as TypedStruct) }
  }
  return { name, type, value: String(value) }
}

const toFieldNodes = (types: TypedData['types'], struct: string, value: TypedStruct): readonly TreeNode[] =>
  (types[struct] ?? []).map(({ name, type }) => toNode(types, name, type, value[name] ?? ''))
