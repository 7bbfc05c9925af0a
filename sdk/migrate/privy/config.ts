/** Migrates the configuration keys, following the table of the guide. */
import type { NodePath } from '@babel/traverse'
import type * as t from '@babel/types'
import { type Entry, getEntries } from './flow.ts'
import { getRange, onlyThis, removeFromList, replace, type SourceFile } from './source-file.ts'

const sameKeys = ['name', 'loginMethods', 'loginMethodsAndOrder', 'intl', 'captchaEnabled', 'rpcUrls']
const sameAppearance = [
  'theme',
  'accentColor',
  'logo',
  'landingHeader',
  'loginMessage',
  'walletList',
  'loginGroupPriority',
]
const sameWallets = ['createOnLogin', 'noPromptOnSignature', 'priceDisplay', 'waitForTransactionConfirmation']
const nested: Readonly<Record<string, string[]>> = {
  legal: ['termsAndConditionsUrl', 'privacyPolicyUrl', 'requireUsersAcceptTerms'],
  mfa: ['noPromptOnMfaRequired'],
}

const done = new WeakSet<t.Node>()

export function migrateConfig(file: SourceFile, config: NodePath<t.ObjectExpression>): void {
  if (done.has(config.node)) return
  done.add(config.node)
  for (const entry of listEntries(file, config)) {
    const { name, path, value } = entry
    if (name === 'appearance') within(file, entry, migrateAppearance)
    else if (name === 'embeddedWallets') within(file, entry, migrateWallets)
    else if (name === 'externalWallets') within(file, entry, migrateExternalWallets)
    else if (name === 'supportedChains') migrateChains(file, entry)
    else if (name === 'defaultChain') migrateDefaultChain(file, entry)
    else if (Object.hasOwn(nested, name) && value.isObjectExpression()) {
      for (const { name: inner, path: at } of listEntries(file, value)) {
        if (!nested[name]?.includes(inner)) reportUnknownKey(file, at, `${name}.${inner}`)
      }
    } else if (!sameKeys.includes(name) && !Object.hasOwn(nested, name)) reportUnknownKey(file, path, name)
  }
}

const reportUnknownKey = (file: SourceFile, path: NodePath, key: string) =>
  file.left(path.node, `The configuration has no \`${key}\``, 'provider')

function listEntries(file: SourceFile, object: NodePath<t.ObjectExpression>): Entry[] {
  const { entries, others } = getEntries(object)
  for (const { node } of others) {
    file.left(
      node,
      'This part of the configuration comes from elsewhere: see for yourself that its keys fit',
      'provider',
    )
  }
  return entries
}

function within(
  file: SourceFile,
  { name, path, value }: Entry,
  migrate: (file: SourceFile, entry: Entry) => void,
) {
  if (value.isObjectExpression()) for (const entry of listEntries(file, value)) migrate(file, entry)
  else
    file.left(path.node, `\`${name}\` comes from elsewhere: see for yourself that its keys fit`, 'provider')
}

function migrateAppearance(file: SourceFile, { name, path, value }: Entry) {
  if (name === 'showWalletLoginFirst') {
    if (!value.isBooleanLiteral()) {
      file.left(
        path.node,
        "`showWalletLoginFirst` is `loginGroupPriority`, which is 'web3-first' or 'web2-first'",
        'provider',
      )
    } else if (value.node.value) {
      const quote = file.source.includes('"') && !file.source.includes("'") ? '"' : "'"
      replace(file, path.node, `loginGroupPriority: ${quote}web3-first${quote}`)
      file.changed(path.node, "`showWalletLoginFirst` is `loginGroupPriority: 'web3-first'`")
    } else {
      removeFromList(file, path.node)
      file.changed(path.node, '`showWalletLoginFirst: false` is the default, so it is gone')
    }
  } else if (name === 'walletChainType') {
    removeFromList(file, path.node)
    file.changed(path.node, "`walletChainType` is gone: the app's settings say which chains its users have")
  } else if (!sameAppearance.includes(name)) reportUnknownKey(file, path, `appearance.${name}`)
}

function migrateWallets(file: SourceFile, { name, path, value }: Entry) {
  if (name === 'ethereum' && value.isObjectExpression()) {
    const { entries, others } = getEntries(value)
    const [only] = entries
    if (only?.name === 'createOnLogin' && entries.length === 1 && others.length === 0) {
      onlyThis(file, path.node, only.path.node)
      file.changed(path.node, '`ethereum.createOnLogin` is `createOnLogin`')
    } else reportUnknownKey(file, path, 'embeddedWallets.ethereum')
  } else if (name === 'showWalletUIs') {
    if (value.isBooleanLiteral()) {
      replace(file, path.node, `noPromptOnSignature: ${!value.node.value}`)
      file.changed(path.node, '`showWalletUIs` is `noPromptOnSignature`, which the app has to allow')
    } else file.left(path.node, '`showWalletUIs` is `noPromptOnSignature`, which is the opposite', 'provider')
  } else if (!sameWallets.includes(name)) reportUnknownKey(file, path, `embeddedWallets.${name}`)
}

function migrateExternalWallets(file: SourceFile, { name, path, value }: Entry) {
  if (name !== 'walletConnect') return reportUnknownKey(file, path, `externalWallets.${name}`)
  if (!value.isObjectExpression()) return
  for (const { name: inner, path: at } of listEntries(file, value)) {
    if (inner !== 'enabled') reportUnknownKey(file, at, `externalWallets.walletConnect.${inner}`)
  }
}

const isName = (path: NodePath) => path.isIdentifier() || path.isMemberExpression()

function migrateChains(file: SourceFile, { path, value }: Entry) {
  const { node } = path
  if (value.isArrayExpression()) {
    const elements = value.get('elements') as NodePath[]
    const others = elements.filter((element) => !isName(element))
    for (const element of elements.filter(isName)) {
      file.text.appendLeft(element.node.end ?? 0, '.id')
    }
    for (const other of others) {
      file.left(
        other.node,
        'A chain is named by its number here, and addresses of nodes are in `rpcUrls`',
        'provider',
      )
    }
    if (others.length < elements.length) file.changed(node, '`supportedChains` are the numbers of the chains')
  } else if (value.isIdentifier()) {
    const list = `${value.node.name}.map((chain) => chain.id)`
    if (node.shorthand) file.text.appendLeft(node.end ?? 0, `: ${list}`)
    else replace(file, value.node, list)
    file.changed(node, '`supportedChains` are the numbers of the chains')
  } else file.left(node, '`supportedChains` are the numbers of the chains', 'provider')
}

function migrateDefaultChain(file: SourceFile, { path, value }: Entry) {
  const isChoice =
    value.isConditionalExpression() &&
    isName(value.get('consequent') as NodePath) &&
    isName(value.get('alternate') as NodePath)
  if (!isChoice && !isName(value)) {
    return file.left(path.node, '`defaultChain` is the number of the chain', 'provider')
  }
  const [start, end] = getRange(value.node)
  if (isChoice) file.text.appendRight(start, '(')
  file.text.appendLeft(end, path.node.shorthand ? ': defaultChain.id' : isChoice ? ').id' : '.id')
  file.changed(path.node, '`defaultChain` is the number of the chain')
}
