/** Data flow within a file: follows a value from its call through variables and destructuring to its uses. */
import type { NodePath } from '@babel/traverse'
import type * as t from '@babel/types'

/** A property that is read from a value, with its name node and the expressions that use it. */
export type Member = {
  name: string
  /** The name in a pattern or after a dot. */
  at: t.Node
  uses: NodePath[]
}

export const getKeyName = (key: t.Node): string | undefined => {
  if (key.type === 'Identifier') return key.name
  return key.type === 'StringLiteral' ? key.value : undefined
}

/**
 * Returns the outermost expression with the same value, such as `value!` or `value as T`, but not `await
 * value`.
 */
export function unwrapped(path: NodePath): NodePath {
  const { parentPath } = path
  const isWrapper =
    parentPath?.isTSNonNullExpression() ||
    parentPath?.isTSAsExpression() ||
    parentPath?.isTSSatisfiesExpression()
  return parentPath && isWrapper ? unwrapped(parentPath) : path
}

/** Returns the uses of a variable. A reassigned variable returns none, because its value is uncertain. */
export function findUses(scope: NodePath['scope'], name: string): NodePath[] {
  const binding = scope.getBinding(name)
  return binding && binding.constantViolations.length === 0 ? binding.referencePaths : []
}

const isMember = (member: NodePath, value: NodePath) =>
  (member.isMemberExpression() || member.isOptionalMemberExpression()) && member.node.object === value.node

export function findMembers(value: NodePath): Member[] {
  const outer = unwrapped(value)
  const { parentPath } = outer
  if (!parentPath) return []
  if (parentPath.isVariableDeclarator() && parentPath.node.init === outer.node) {
    return findPatternMembers(parentPath.node.id, parentPath.scope)
  }
  if (isMember(parentPath, outer)) {
    const { property, computed } = parentPath.node as t.MemberExpression
    const name = computed ? undefined : getKeyName(property)
    return name === undefined ? [] : [{ name, at: property, uses: [parentPath] }]
  }
  return []
}

/** Returns the members that a pattern or a declared variable reads from its value. */
export function findPatternMembers(pattern: t.Node, scope: NodePath['scope']): Member[] {
  if (pattern.type === 'Identifier') return findUses(scope, pattern.name).flatMap((use) => findMembers(use))
  if (pattern.type !== 'ObjectPattern') return []
  return pattern.properties.flatMap((property): Member[] => {
    if (property.type !== 'ObjectProperty' || property.computed) return []
    const name = getKeyName(property.key)
    const target = property.value.type === 'AssignmentPattern' ? property.value.left : property.value
    if (name === undefined) return []
    const uses = target.type === 'Identifier' ? findUses(scope, target.name) : []
    return [{ name, at: property.key, uses }]
  })
}

/** Returns the call of which the expression is the callee. */
export function findCall(callee: NodePath): NodePath<t.CallExpression> | undefined {
  const { parentPath } = unwrapped(callee)
  if (!parentPath) return undefined
  const isCalled =
    (parentPath.isCallExpression() || parentPath.isOptionalCallExpression()) &&
    parentPath.node.callee === unwrapped(callee).node
  return isCalled ? (parentPath as NodePath<t.CallExpression>) : undefined
}

export const getArguments = (call: NodePath<t.CallExpression>): NodePath[] => {
  const argumentPaths = call.get('arguments')
  return Array.isArray(argumentPaths) ? (argumentPaths as NodePath[]) : []
}

export type FunctionPath = NodePath<
  t.ArrowFunctionExpression | t.FunctionExpression | t.FunctionDeclaration | t.ObjectMethod
>

/** Returns the function of a value: an inline function, or a function of this file that the name refers to. */
export function functionAt(value: NodePath): FunctionPath | undefined {
  if (value.isArrowFunctionExpression() || value.isFunctionExpression() || value.isFunctionDeclaration()) {
    return value as FunctionPath
  }
  if (value.isCallExpression() && value.get('callee').isIdentifier({ name: 'useCallback' })) {
    const [callback] = getArguments(value as NodePath<t.CallExpression>)
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

/** Returns the object literal of a value: inline, or declared in this file. */
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

/** Returns the entries of an object literal by name. Methods, spreads and computed keys are in `others`. */
export function getEntries(object: NodePath<t.ObjectExpression>) {
  const entries: Entry[] = []
  const others: NodePath[] = []
  for (const path of object.get('properties')) {
    const name = path.isObjectProperty() && !path.node.computed ? getKeyName(path.node.key) : undefined
    if (path.isObjectProperty() && name !== undefined) {
      entries.push({ name, path, value: path.get('value') as NodePath })
    } else others.push(path)
  }
  return { entries, others }
}
