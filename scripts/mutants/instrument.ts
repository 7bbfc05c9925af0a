// All mutants of a file in one text: at each place the running test's `__mutant(id)` says whether this one is active.

import { parseSync } from 'vite'
import { expressionMutants, isNode, type Node, testMutants } from './operators.ts'

export type Mutant = {
  readonly id: number
  readonly file: string
  readonly line: number
  readonly original: string
  readonly replacement: string
}

/** Wrappers of types around an expression; any other node whose name begins so is a type and is left alone. */
const typedExpressions = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']
const isType = ({ type }: Node) => type.startsWith('TS') && !typedExpressions.includes(type)

/** What names something, or is no value. */
const isName = (parent: Node, key: string) =>
  (key === 'key' && !parent.computed) ||
  key === 'source' ||
  key === 'tag' ||
  key === 'quasi' ||
  (parent.type === 'ImportSpecifier' && key === 'imported') ||
  (key === 'property' && !parent.computed) ||
  (parent.type === 'AssignmentExpression' && key === 'left') ||
  (parent.type === 'UpdateExpression' && key === 'argument')

const childrenOf = (node: Node) =>
  Object.entries(node)
    .flatMap(([key, value]) => [value].flat().map((child: unknown) => ({ key, child })))
    .filter((part): part is { key: string; child: Node } => isNode(part.child))
    .filter(({ key }) => !(node.shorthand && key === 'key'))
    .sort((one, other) => one.child.start - other.child.start)

const isFunction = ({ type }: Node) =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type)

/** `firstId` numbers the first mutant; each says where it is, what stood there and what stands there now. */
export function instrument(
  file: string,
  source: string,
  firstId = 0,
): { readonly code: string; readonly mutants: readonly Mutant[] } {
  const { program, errors } = parseSync(file, source)
  const [wrong] = errors
  if (wrong) throw new Error(`${file}: ${wrong.message}`)
  const mutants: Mutant[] = []
  const of = (node: unknown) => (isNode(node) ? source.slice(node.start, node.end) : '')

  const add = (node: Node, replacement: string) => {
    const id = firstId + mutants.length
    const line = source.slice(0, node.start).split('\n').length
    mutants.push({ id, file, line, original: of(node), replacement })
    return `__mutant(${id})`
  }

  const withChildren = (node: Node, inChain = false): string => {
    let text = ''
    let at = node.start
    for (const { key, child } of childrenOf(node)) {
      if (child.start < at) continue
      const chained = inChain && (key === 'object' || key === 'callee')
      text += source.slice(at, child.start) + print(child, node, key, chained)
      at = child.end
    }
    return text + source.slice(at, node.end)
  }

  const choice = (node: Node, replacements: readonly string[], otherwise: string) =>
    replacements.reduceRight((rest, one) => `(${add(node, one)} ? (${one}) : ${rest})`, `(${otherwise})`)

  function print(node: Node, parent: Node, key: string, inChain = false): string {
    if (isType(node) || isName(parent, key)) return node.computed ? withChildren(node) : of(node)
    if (node.type === 'ExpressionStatement' && !node.directive) {
      // In braces, since a line may end without a semicolon before it.
      return `{ if (!${add(node, '')}) { ${withChildren(node)} } }`
    }
    if (node.type === 'ThrowStatement') return `{ if (!${add(node, '')}) { ${withChildren(node)} } }`
    if (
      node.type === 'BlockStatement' &&
      isFunction(parent) &&
      Array.isArray(node.body) &&
      node.body.length > 1
    ) {
      return `{ if (!${add(node, '{}')}) ${withChildren(node)} }`
    }
    const body = withChildren(node, node.type === 'ChainExpression' || inChain)
    // A part of `a?.b.c` in parentheses would end what `?.` skips.
    if (inChain) return body
    const replacements = [...(expressionMutants[node.type]?.(node, of) ?? [])]
    if (key === 'test') replacements.push(...(testMutants[parent.type] ?? []))
    if (key === 'body' && parent.type === 'ArrowFunctionExpression' && parent.expression) {
      replacements.push('undefined')
    }
    const others = [...new Set(replacements)].filter((one) => one !== of(node))
    return others.length === 0 ? body : choice(node, others, body)
  }

  if (!isNode(program)) throw new Error(`${file}: nothing was parsed`)
  return { code: withChildren(program), mutants }
}
