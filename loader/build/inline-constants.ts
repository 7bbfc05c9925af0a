/**
 * Writes the values of `channelLimits.callDeadlineMs` and `product.name` where they are read. A minifier keeps
 * such objects whole, with every name and number that this script never reads.
 */
import type { Plugin } from 'vite'
import { childrenOf, type Edit, editSource, isNode, type Node, nameOf, replace } from './source-edits.ts'

type Constants = Readonly<Record<string, unknown>>

export function inlineConstants(constants: Constants): Plugin {
  const names = new RegExp(`\\b(${Object.keys(constants).join('|')})\\.`)
  return {
    name: 'inline-constants',
    enforce: 'pre',
    transform(code, id) {
      if (!/\.ts$/.test(id) || !names.test(code)) return undefined
      return { code: editSource(id, code, (program) => inlined(program, constants)), map: null }
    },
  }
}

function* inlined(node: Node, constants: Constants): Generator<Edit> {
  const value = node.type === 'MemberExpression' ? constantAt(node, constants) : undefined
  if (typeof value === 'string' || typeof value === 'number') {
    yield replace(node, JSON.stringify(value))
    return
  }
  for (const child of childrenOf(node)) yield* inlined(child, constants)
}

function constantAt(node: Node, constants: Constants): unknown {
  if (node.type === 'Identifier') return constants[nameOf(node)]
  if (node.type !== 'MemberExpression' || node.computed || !isNode(node.object)) return undefined
  const owner = constantAt(node.object, constants)
  const name = nameOf(node.property)
  return typeof owner === 'object' && owner !== null && Object.hasOwn(owner, name)
    ? Reflect.get(owner, name)
    : undefined
}
