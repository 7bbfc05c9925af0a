/** Follows a value through a file: from the call that gives it, over names and destructuring, to where it is used. */
import type { NodePath } from '@babel/traverse'
import type * as t from '@babel/types'

/** A property that is taken out of a value: where it is named, and the expressions that have it. */
export type Member = {
  name: string
  /** The name in a pattern or behind a dot. */
  at: t.Node
  uses: readonly NodePath[]
}

export const nameOfKey = (key: t.Node): string | undefined => {
  if (key.type === 'Identifier') return key.name
  return key.type === 'StringLiteral' ? key.value : undefined
}

/** The expression around a value that has the same value: `value!`, `value as T`, `await value` is none. */
export function unwrapped(path: NodePath): NodePath {
  const { parentPath } = path
  const isWrapper =
    parentPath?.isTSNonNullExpression() ||
    parentPath?.isTSAsExpression() ||
    parentPath?.isTSSatisfiesExpression()
  return parentPath && isWrapper ? unwrapped(parentPath) : path
}

/** Every use of the name that a declaration gives. A name that is assigned anew has none that are sure. */
export function usesOf(scope: NodePath['scope'], name: string): readonly NodePath[] {
  const binding = scope.getBinding(name)
  return binding && binding.constantViolations.length === 0 ? binding.referencePaths : []
}

const isObjectOf = (member: NodePath, value: NodePath) =>
  (member.isMemberExpression() || member.isOptionalMemberExpression()) && member.node.object === value.node

export function membersOf(value: NodePath): readonly Member[] {
  const outer = unwrapped(value)
  const { parentPath } = outer
  if (!parentPath) return []
  if (parentPath.isVariableDeclarator() && parentPath.node.init === outer.node) {
    return membersOfPattern(parentPath.node.id, parentPath.scope)
  }
  if (isObjectOf(parentPath, outer)) {
    const { property, computed } = parentPath.node as t.MemberExpression
    const name = computed ? undefined : nameOfKey(property)
    return name === undefined ? [] : [{ name, at: property, uses: [parentPath] }]
  }
  return []
}

/** The members that a pattern, or a name that is declared, takes out of its value. */
export function membersOfPattern(pattern: t.Node, scope: NodePath['scope']): readonly Member[] {
  if (pattern.type === 'Identifier') return usesOf(scope, pattern.name).flatMap((use) => membersOf(use))
  if (pattern.type !== 'ObjectPattern') return []
  return pattern.properties.flatMap((property): readonly Member[] => {
    if (property.type !== 'ObjectProperty' || property.computed) return []
    const name = nameOfKey(property.key)
    const target = property.value.type === 'AssignmentPattern' ? property.value.left : property.value
    if (name === undefined) return []
    const uses = target.type === 'Identifier' ? usesOf(scope, target.name) : []
    return [{ name, at: property.key, uses }]
  })
}

/** The call that an expression is called by. */
export function callOf(callee: NodePath): NodePath<t.CallExpression> | undefined {
  const { parentPath } = unwrapped(callee)
  if (!parentPath) return undefined
  const isCalled =
    (parentPath.isCallExpression() || parentPath.isOptionalCallExpression()) &&
    parentPath.node.callee === unwrapped(callee).node
  return isCalled ? (parentPath as NodePath<t.CallExpression>) : undefined
}

export const argumentsOf = (call: NodePath<t.CallExpression>): readonly NodePath[] => {
  const found = call.get('arguments')
  return Array.isArray(found) ? (found as NodePath[]) : []
}

export type FunctionPath = NodePath<
  t.ArrowFunctionExpression | t.FunctionExpression | t.FunctionDeclaration | t.ObjectMethod
>

/** A function that is written in the place of a value, or in this file under the name that stands there. */
export function functionAt(value: NodePath): FunctionPath | undefined {
  if (value.isArrowFunctionExpression() || value.isFunctionExpression() || value.isFunctionDeclaration()) {
    return value as FunctionPath
  }
  if (value.isCallExpression() && value.get('callee').isIdentifier({ name: 'useCallback' })) {
    const [callback] = argumentsOf(value as NodePath<t.CallExpression>)
    return callback && functionAt(callback)
  }
  if (!value.isIdentifier()) return undefined
  const binding = value.scope.getBinding(value.node.name)
  if (!binding || binding.constantViolations.length > 0 || binding.referencePaths.length !== 1)
    return undefined
  if (binding.path.isFunctionDeclaration()) return binding.path as FunctionPath
  const init = binding.path.isVariableDeclarator() ? binding.path.get('init') : undefined
  return init?.node && !init.isIdentifier() ? functionAt(init as NodePath) : undefined
}

/** The object literal that a value is, or that the name there stands for in this file. */
export function objectAt(value: NodePath): NodePath<t.ObjectExpression> | undefined {
  if (value.isObjectExpression()) return value
  if (value.isTSAsExpression() || value.isTSSatisfiesExpression()) {
    return objectAt(value.get('expression') as NodePath)
  }
  if (!value.isIdentifier()) return undefined
  const binding = value.scope.getBinding(value.node.name)
  if (!binding || binding.constantViolations.length > 0 || !binding.path.isVariableDeclarator())
    return undefined
  const init = binding.path.get('init') as NodePath
  return init.node && !init.isIdentifier() ? objectAt(init) : undefined
}

export type Entry = {
  name: string
  path: NodePath<t.ObjectProperty>
  value: NodePath
}

/** The entries of an object literal by their names; methods, spreads and computed keys are in `others`. */
export function entriesOf(object: NodePath<t.ObjectExpression>) {
  const entries: Entry[] = []
  const others: NodePath[] = []
  for (const path of object.get('properties')) {
    const name = path.isObjectProperty() && !path.node.computed ? nameOfKey(path.node.key) : undefined
    if (path.isObjectProperty() && name !== undefined) {
      entries.push({ name, path, value: path.get('value') as NodePath })
    } else others.push(path)
  }
  return { entries, others }
}
