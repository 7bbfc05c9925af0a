/** Migrates arguments and results of calls that sign, send and fund. */
import type { NodePath } from '@babel/traverse'
import type * as t from '@babel/types'
import { findCall, findMembers, getArguments, getEntries, getKeyName, unwrapped } from './flow.ts'
import type { HookCall } from './hooks.ts'
import { sendTexts, signTexts } from './names.ts'
import { getRange, onlyThis, replace, type SourceFile } from './source-file.ts'

type Call = NodePath<t.CallExpression>
type Migrate = (file: SourceFile, call: Call) => void

const byName: Readonly<Record<string, Migrate>> = {
  signMessage: migrateSignMessage,
  signTypedData: migrateSignTypedData,
  sendTransaction: migrateSendTransaction,
  fundWallet: migrateFundWallet,
  exportWallet: withoutAddress,
  login: withoutOptions,
  createWallet: withoutOptions,
  connectWallet: withoutOptions,
  setWalletRecovery: withoutOptions,
  importWallet: withoutKey,
  sendCode: withoutOptions,
}

export function migrateCalls(file: SourceFile, { name, members }: HookCall): void {
  if (name === 'useSolanaWallets' || name === 'useCrossAppAccounts') return
  for (const { name: member, uses } of members) {
    const migrate = Object.hasOwn(byName, member) ? byName[member] : undefined
    if (!migrate) continue
    for (const use of uses) {
      const call = findCall(use)
      if (call) migrate(file, call)
    }
  }
}

/** The options of a call, `{ uiOptions, address }`, reduced to the texts that our call takes. */
type Options = { isSure: boolean; texts: t.Node | undefined }

function parseOptions(options: NodePath | undefined, known: string[]): Options {
  if (!options) return { isSure: true, texts: undefined }
  if (!options.isObjectExpression()) return { isSure: false, texts: undefined }
  const { entries, others } = getEntries(options)
  const texts = entries.find(({ name }) => name === 'uiOptions')
  const isKnown =
    others.length === 0 && entries.every(({ name }) => name === 'uiOptions' || name === 'address')
  return { isSure: isKnown && (!texts || areTexts(texts.value, known)), texts: texts?.value.node }
}

function areTexts(value: NodePath, known: string[]): boolean {
  if (!value.isObjectExpression()) return false
  const { entries, others } = getEntries(value)
  return others.length === 0 && entries.every(({ name }) => known.includes(name))
}

/** Replaces all arguments after the first by the texts. */
function replaceOptions(file: SourceFile, [first, second, ...more]: NodePath[], texts: t.Node | undefined) {
  if (!first || !second) return
  const end = (more.at(-1) ?? second).node.end ?? 0
  if (texts) {
    onlyThis(file, second.node, texts)
    file.text.remove(second.node.end ?? 0, end)
    outdent(file, texts, second.node)
  } else file.text.remove(first.node.end ?? 0, end)
}

/** Removes the extra indentation of a node that replaces its parent. */
function outdent({ text, source, getText }: SourceFile, node: t.Node, around: t.Node) {
  const content = getText(node)
  // Spaces inside a template literal are part of its text.
  if (content.includes('`')) return
  const indentAt = (end: number) =>
    /^\s*/.exec(source.slice(source.lastIndexOf('\n', end) + 1))?.[0].length ?? 0
  const extra = indentAt((node.end ?? 0) - 1) - indentAt((around.end ?? 0) - 1)
  if (extra <= 0) return
  for (const { index } of content.matchAll(/\n\s+/g)) {
    const start = (node.start ?? 0) + index + 1
    text.remove(start, start + extra)
  }
}

const leaveOptions = (file: SourceFile, call: Call, name: string, known: string[]) =>
  file.left(
    call.node,
    `\`${name}()\` is left as it is: its second argument has ${known.map((text) => `\`${text}\``).join(', ')} and no other options`,
    'wallets',
  )

function migrateSignMessage(file: SourceFile, call: Call) {
  const callArguments = getArguments(call)
  const [message, options] = callArguments
  if (!message) return
  if (message.isObjectExpression()) {
    const { entries, others } = getEntries(message)
    const [only] = entries
    const { isSure, texts } = parseOptions(options, signTexts)
    if (only?.name !== 'message' || entries.length !== 1 || others.length > 0 || !isSure) {
      return leaveOptions(file, call, 'signMessage', signTexts)
    }
    onlyThis(file, message.node, only.value.node)
    replaceOptions(file, callArguments, texts)
    return file.changed(call.node, '`signMessage()` takes the message itself')
  }
  const isText = message.isStringLiteral() || message.isTemplateLiteral()
  if (isText || file.project.privyMajor === 1) return migrateTextResult(file, call, 'signMessage', isText)
  file.left(
    call.node,
    '`signMessage()` takes the message itself, and resolves with `{ signature }`',
    'wallets',
  )
}

function migrateSignTypedData(file: SourceFile, call: Call) {
  const callArguments = getArguments(call)
  if (file.project.privyMajor === 1) return migrateTextResult(file, call, 'signTypedData', false)
  const { isSure, texts } = parseOptions(callArguments[1], signTexts)
  if (!isSure) return leaveOptions(file, call, 'signTypedData', signTexts)
  if (callArguments[1]) {
    replaceOptions(file, callArguments, texts)
    file.changed(call.node, '`signTypedData()` takes the texts of the dialog as its second argument')
  }
  if (file.project.privyMajor === undefined && !isDestructuredAs(call, 'signature')) {
    file.left(call.node, '`signTypedData()` resolves with `{ signature }`, and not with a text', 'wallets')
  }
}

/** Returns whether the awaited result is destructured by this name. */
function isDestructuredAs(call: Call, name: string): boolean {
  const awaited = unwrapped(call).parentPath
  return awaited?.isAwaitExpression() === true && findMembers(awaited).some((member) => member.name === name)
}

/** Migrates a result that was the plain signature in version 1. */
function migrateTextResult(file: SourceFile, call: Call, name: string, isSureOfVersion: boolean) {
  if (file.project.privyMajor !== 1 && !isSureOfVersion) return
  const [, options] = getArguments(call)
  if (options && !areTexts(options, signTexts)) return leaveOptions(file, call, name, signTexts)
  const awaited = unwrapped(call).parentPath
  if (call.parentPath.isExpressionStatement()) return
  if (!awaited?.isAwaitExpression()) {
    return file.left(
      call.node,
      `\`${name}()\` resolves with \`{ signature }\`, and not with a text`,
      'wallets',
    )
  }
  if (awaited.parentPath?.isExpressionStatement() || isDestructuredAs(call, 'signature')) return
  const declarator = awaited.parentPath
  if (
    declarator?.isVariableDeclarator() &&
    declarator.node.id.type === 'Identifier' &&
    !declarator.node.id.typeAnnotation
  ) {
    const { id } = declarator.node
    replace(file, id, id.name === 'signature' ? '{ signature }' : `{ signature: ${id.name} }`)
  } else {
    file.text.appendLeft(awaited.node.start ?? 0, '(')
    file.text.appendRight(awaited.node.end ?? 0, ').signature')
  }
  file.changed(call.node, `\`${name}()\` resolves with \`{ signature }\``)
}

function migrateSendTransaction(file: SourceFile, call: Call) {
  const callArguments = getArguments(call)
  const [, options, funding] = callArguments
  const isFirstForm = options !== undefined && areTexts(options, sendTexts)
  const { isSure, texts } = parseOptions(options, sendTexts)
  if (funding || (options && !isFirstForm && !isSure)) {
    leaveOptions(file, call, 'sendTransaction', sendTexts)
    if (options?.isObjectExpression() && getEntries(options).entries.some(({ name }) => name === 'sponsor')) {
      file.left(
        options.node,
        'The operator chooses the chains with sponsored fees, not the call',
        'impossible',
      )
    }
    return
  }
  if (options && !isFirstForm) {
    replaceOptions(file, callArguments, texts)
    file.changed(call.node, '`sendTransaction()` takes the texts of the dialog as its second argument')
  }
  migrateReceipt(file, call)
}

/** Migrates the result of version 1, a receipt of which most code reads only the hash. */
function migrateReceipt(file: SourceFile, call: Call) {
  const awaited = unwrapped(call).parentPath
  const isAwaited = awaited?.isAwaitExpression() === true
  if (!isAwaited) {
    if (file.project.privyMajor === 1 && !call.parentPath.isExpressionStatement()) leaveReceipt(file, call)
    return
  }
  if (awaited.parentPath?.isExpressionStatement()) return
  const members = findMembers(awaited)
  const declarator = awaited.parentPath
  const declared =
    declarator?.isVariableDeclarator() && declarator.node.id.type === 'Identifier'
      ? declarator.node.id
      : undefined
  // Each use of the variable must be a use of one of its members.
  const uses = declared
    ? (declarator?.scope.getBinding(declared.name)?.referencePaths.length ?? 0)
    : members.length
  const isWhole = members.length < uses || members.length === 0
  const isV1 = file.project.privyMajor === 1 || members.some(({ name }) => name === 'transactionHash')
  if (!isV1) return
  if (isWhole || members.some(({ name }) => name !== 'transactionHash')) return leaveReceipt(file, call)
  for (const { at } of members) {
    const isShorthand = file.program.scope !== undefined && isShorthandKey(declarator, at)
    replace(file, at, isShorthand ? 'hash: transactionHash' : 'hash')
  }
  file.changed(call.node, '`sendTransaction()` resolves with `{ hash, receipt }`')
}

const isShorthandKey = (declarator: NodePath | null | undefined, key: t.Node) =>
  declarator?.isVariableDeclarator() === true &&
  declarator.node.id.type === 'ObjectPattern' &&
  declarator.node.id.properties.some(
    (property) => property.type === 'ObjectProperty' && property.key === key && property.shorthand,
  )

const leaveReceipt = (file: SourceFile, call: Call) =>
  file.left(
    call.node,
    '`sendTransaction()` resolves with `{ hash, receipt }`, where `receipt` is there if the dialog waited for the chain',
    'wallets',
  )

function migrateFundWallet(file: SourceFile, call: Call) {
  const callArguments = getArguments(call)
  const [target] = callArguments
  if (!target) return
  if (target.isObjectExpression()) {
    const { entries, others } = getEntries(target)
    const [only] = entries
    if (
      only?.name === 'address' &&
      entries.length === 1 &&
      others.length === 0 &&
      callArguments.length === 1
    ) {
      onlyThis(file, target.node, only.value.node)
      return file.changed(call.node, '`fundWallet()` takes the address itself')
    }
  } else if (callArguments.length === 1 && (target.isStringLiteral() || file.project.privyMajor === 1)) return
  file.left(call.node, '`fundWallet()` takes the address, and then `{ provider, config }`', 'wallets')
}

function withoutAddress(file: SourceFile, call: Call) {
  const [options] = getArguments(call)
  if (!options) return
  const isAddress =
    options.isObjectExpression() &&
    options.node.properties.length === 1 &&
    options.node.properties.every(
      (property) => property.type === 'ObjectProperty' && getKeyName(property.key) === 'address',
    )
  if (!isAddress) return withoutOptions(file, call)
  file.text.remove(...getRange(options.node))
  file.changed(call.node, 'There is one embedded wallet for each user, so no `address` chooses among several')
}

function withoutOptions(file: SourceFile, call: Call) {
  const [options] = getArguments(call)
  if (!options?.isObjectExpression()) return
  if (options.node.properties.length === 0) return
  file.left(options.node, 'This call takes none of these options', 'user')
}

function withoutKey(file: SourceFile, call: Call) {
  const [options] = getArguments(call)
  if (options)
    file.left(
      call.node,
      '`importWallet()` takes no key: its user types it into a page of the wallet',
      'impossible',
    )
}
