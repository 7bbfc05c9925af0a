/** Migrates the check for the embedded wallet: `walletClientType === 'privy'` becomes `kind === 'embedded'`. */
import type { NodePath } from '@babel/traverse'
import type * as t from '@babel/types'
import { findUses, getArguments, getKeyName, unwrapped } from './flow.ts'
import type { HookCall } from './hooks.ts'
import type { Imported } from './imports.ts'
import { goneFromWallets } from './names.ts'
import { getRange, replace, type SourceFile } from './source-file.ts'

const elementMethods = ['find', 'findLast', 'at', 'pop', 'shift']
const listMethods = ['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toReversed', 'concat']

export function migrateWallets(file: SourceFile, imported: Imported[], hooks: HookCall[]): void {
  const follow = new WalletFlow(file)
  for (const { name, members } of hooks) {
    if (name !== 'useWallets' && name !== 'useSolanaWallets') continue
    for (const member of members.filter((each) => each.name === 'wallets')) {
      for (const use of member.uses) follow.list(use)
    }
  }
  const types = imported.filter(({ name }) => name === 'EthereumWallet' || name === 'SolanaWallet')
  for (const use of types.flatMap(({ uses }) => uses)) followTypeUse(follow, use)
  noteOthers(file, follow)
}

/** Follows a parameter or variable that is typed as a wallet or a list of wallets. */
function followTypeUse(follow: WalletFlow, use: NodePath) {
  const reference = use.parentPath
  if (!reference?.isTSTypeReference()) return
  const isList = reference.parentPath?.isTSArrayType() === true
  const annotation = isList ? reference.parentPath?.parentPath : reference.parentPath
  const declared = annotation?.isTSTypeAnnotation() ? annotation.parentPath : undefined
  if (!declared?.isIdentifier()) return
  for (const each of findUses(declared.scope, declared.node.name))
    isList ? follow.list(each) : follow.wallet(each)
}

class WalletFlow {
  readonly #file: SourceFile
  readonly #seen = new Set<t.Node>()
  /** Comparisons that were migrated. */
  readonly compared = new Set<t.Node>()

  constructor(file: SourceFile) {
    this.#file = file
  }

  #isNew(value: NodePath) {
    if (this.#seen.has(value.node)) return false
    this.#seen.add(value.node)
    return true
  }

  /** Follows an expression that evaluates to a list of wallets. */
  list(value: NodePath): void {
    if (!this.#isNew(value)) return
    const outer = unwrapped(value)
    const { parentPath } = outer
    if (!parentPath) return
    const same = findEnclosing(outer)
    if (same) this.list(same)
    else if (parentPath.isSpreadElement() && parentPath.parentPath?.isArrayExpression()) {
      if (parentPath.parentPath.node.elements.length === 1) this.list(parentPath.parentPath)
    } else if (parentPath.isVariableDeclarator()) {
      const { id } = parentPath.node
      if (id.type === 'ArrayPattern') for (const each of id.elements) this.#bound(each, parentPath.scope)
      else if (id.type === 'Identifier') for (const use of findUses(parentPath.scope, id.name)) this.list(use)
    } else if (parentPath.isForOfStatement() && parentPath.node.right === outer.node) {
      const { left } = parentPath.node
      if (left.type === 'VariableDeclaration')
        this.#bound(left.declarations[0]?.id, parentPath.get('body').scope)
    } else if (isMember(parentPath) && parentPath.node.object === outer.node) {
      if (parentPath.node.computed) this.wallet(parentPath)
      else this.#method(parentPath, getKeyName(parentPath.node.property) ?? '')
    }
  }

  #method(member: NodePath, name: string) {
    const call = member.parentPath
    const isCall = call?.isCallExpression() || call?.isOptionalCallExpression()
    if (!call || !isCall || call.node.callee !== member.node) return
    const [callback] = getArguments(call as NodePath<t.CallExpression>)
    if (callback?.isArrowFunctionExpression() || callback?.isFunctionExpression()) {
      if (!name.startsWith('reduce')) this.#bound(callback.node.params[0], callback.scope)
    }
    if (elementMethods.includes(name)) this.wallet(call)
    if (listMethods.includes(name)) this.list(call)
  }

  /** Follows a variable or a pattern that is bound to a wallet. */
  #bound(pattern: t.Node | null | undefined, scope: NodePath['scope']) {
    if (pattern?.type === 'Identifier') for (const use of findUses(scope, pattern.name)) this.wallet(use)
    if (pattern?.type === 'ObjectPattern') this.#taken(pattern, scope)
  }

  /** Follows an expression that evaluates to one wallet. */
  wallet(value: NodePath): void {
    if (!this.#isNew(value)) return
    const outer = unwrapped(value)
    const { parentPath } = outer
    if (!parentPath) return
    const same = findEnclosing(outer)
    if (same) this.wallet(same)
    else if (parentPath.isVariableDeclarator()) this.#bound(parentPath.node.id, parentPath.scope)
    else if (isMember(parentPath) && parentPath.node.object === outer.node && !parentPath.node.computed) {
      this.#member(parentPath)
    }
  }

  #member(member: NodePath<t.MemberExpression>) {
    const { property } = member.node
    const name = getKeyName(property) ?? ''
    if (name === 'walletClientType') this.#compare(member, property)
    else if (Object.hasOwn(goneFromWallets, name)) {
      this.#file.left(property, goneFromWallets[name] ?? '', 'wallets')
    }
  }

  /** Migrates destructured parameters such as `({ walletClientType }) => walletClientType === 'privy'`. */
  #taken(pattern: t.ObjectPattern, scope: NodePath['scope']) {
    for (const property of pattern.properties) {
      if (property.type !== 'ObjectProperty' || getKeyName(property.key) !== 'walletClientType') continue
      if (property.value.type !== 'Identifier') continue
      const { name } = property.value
      const uses = findUses(scope, name)
      const isSure = uses.length > 0 && uses.every((use) => findComparison(use))
      if (!isSure || (property.shorthand && scope.hasBinding('kind'))) continue
      replace(this.#file, property.shorthand ? property : property.key, 'kind')
      for (const use of uses) this.#compare(use, property.shorthand ? use.node : undefined)
    }
  }

  #compare(value: NodePath, name: t.Node | undefined) {
    const comparison = findComparison(value)
    if (!comparison) return
    const { text } = comparison
    const quote = this.#file.getText(text)[0] ?? "'"
    if (name) replace(this.#file, name, 'kind')
    replace(this.#file, text, `${quote}embedded${quote}`)
    this.compared.add(text)
    this.#file.changed(comparison.node, "The embedded wallet is the one whose `kind` is 'embedded'")
  }
}

const isMember = (path: NodePath): path is NodePath<t.MemberExpression> =>
  path.isMemberExpression() || path.isOptionalMemberExpression()

/** Returns the enclosing expression with the same value: `wallets ?? []`, `a || b`, `useMemo(() => a)`. */
function findEnclosing(value: NodePath): NodePath | undefined {
  const { parentPath } = value
  if (!parentPath) return undefined
  if (parentPath.isLogicalExpression()) {
    return parentPath.node.left === value.node && parentPath.node.operator === '&&' ? undefined : parentPath
  }
  if (parentPath.isConditionalExpression())
    return parentPath.node.test === value.node ? undefined : parentPath
  const body = parentPath.isReturnStatement() ? parentPath.getFunctionParent() : parentPath
  if (!body?.isArrowFunctionExpression()) return undefined
  if (!parentPath.isReturnStatement() && body.node.body !== value.node) return undefined
  const call = body.parentPath
  const isMemo = call?.isCallExpression() && /^(?:React\.)?useMemo$/.test(call.get('callee').toString())
  return isMemo && call.node.arguments[0] === body.node ? call : undefined
}

function findComparison(value: NodePath): { node: t.BinaryExpression; text: t.StringLiteral } | undefined {
  const outer = unwrapped(value)
  const { parentPath } = outer
  if (!parentPath?.isBinaryExpression() || !/^[!=]==?$/.test(parentPath.node.operator)) return undefined
  const { left, right } = parentPath.node
  const other = left === outer.node ? right : left
  return other.type === 'StringLiteral' && other.value === 'privy'
    ? { node: parentPath.node, text: other }
    : undefined
}

/** Notes every other place that identifies a wallet or an account by Privy's name. */
function noteOthers(file: SourceFile, { compared }: WalletFlow) {
  file.program.traverse({
    StringLiteral({ node, parent }) {
      if (!/^privy(?:-v2)?$/.test(node.value) || compared.has(node)) return
      if (!file.source.slice(...getRange(parent)).includes('walletClientType')) return
      const message =
        parent.type === 'BinaryExpression'
          ? "The embedded wallet is the one whose `kind` is 'embedded', or, among the accounts of a user, whose `connectorType` is 'embedded'"
          : "No wallet here has the type 'privy': the embedded one has the `kind` 'embedded'"
      file.left(node, message, 'wallets')
    },
  })
}
