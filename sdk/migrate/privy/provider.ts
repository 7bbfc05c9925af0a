/** Migrates the provider, its props and its configuration. */
import type { NodePath } from '@babel/traverse'
import type * as t from '@babel/types'
import { migrateConfig } from './config.ts'
import { getKeyName, objectAt } from './flow.ts'
import type { Imported } from './imports.ts'
import { react } from './names.ts'
import { getLineEnd, getQuote, getRange, replace, type SourceFile } from './source-file.ts'

const props = ['appId', 'config', 'children', 'clientId', 'key']

export function migrateProviders(file: SourceFile, imported: Imported[]): void {
  const uses = imported.filter(({ name }) => name === 'LatchkeyProvider').flatMap(({ uses }) => uses)
  for (const use of [...uses, ...lazyProviders(file)]) {
    const element = use.parentPath
    if (element?.isJSXOpeningElement()) migrateElement(file, element)
    else if (use.parent.type !== 'JSXClosingElement' && use.parent.type !== 'TSTypeQuery') {
      file.left(
        use.node,
        'The provider is passed on here: give it `dialogUrl` where it is used, and no `clientId`',
        'provider',
      )
    }
  }
  migrateTypedConfigs(file, imported)
  notePills(file, imported)
}

const pillProps = ['className', 'loginLabel', 'logoutLabel', 'key']

function notePills(file: SourceFile, imported: Imported[]) {
  for (const use of imported.filter(({ name }) => name === 'UserPill').flatMap(({ uses }) => uses)) {
    const element = use.parentPath
    if (!element?.isJSXOpeningElement()) continue
    const isOther = (attribute: t.JSXOpeningElement['attributes'][number]) =>
      attribute.type !== 'JSXAttribute' || !pillProps.includes(String(attribute.name.name))
    if (element.node.attributes.some(isOther)) {
      file.left(element.node, '`UserPill` takes `className`, `loginLabel` and `logoutLabel`', 'user')
    }
  }
}

/** Migrates configurations that are typed variables or objects with `satisfies`. */
function migrateTypedConfigs(file: SourceFile, imported: Imported[]) {
  for (const use of imported.filter(({ name }) => name === 'ClientConfig').flatMap(({ uses }) => uses)) {
    const type = use.parentPath
    const annotation = type?.parentPath
    if (!type?.isTSTypeReference() || !annotation) continue
    if (annotation.isTSSatisfiesExpression() || annotation.isTSAsExpression()) {
      const object = objectAt(annotation as NodePath)
      if (object) migrateConfig(file, object)
    }
    const declarator = annotation.isTSTypeAnnotation()
      ? annotation.findParent((path) => path.isVariableDeclarator())
      : null
    if (
      declarator?.isVariableDeclarator() &&
      declarator.node.init &&
      declarator.node.id === annotation.parent
    ) {
      const object = objectAt(declarator.get('init') as NodePath)
      if (object) migrateConfig(file, object)
    }
  }
}

function migrateElement(file: SourceFile, element: NodePath<t.JSXOpeningElement>) {
  const attributes = new Map<string, NodePath<t.JSXAttribute>>()
  for (const attribute of element.get('attributes')) {
    if (attribute.isJSXAttribute() && attribute.node.name.type === 'JSXIdentifier') {
      attributes.set(attribute.node.name.name, attribute)
    } else
      file.left(
        attribute.node,
        'These props are spread, so see for yourself that they fit the provider',
        'provider',
      )
  }
  for (const [name, { node }] of attributes) {
    if (props.includes(name) || name === 'dialogUrl') continue
    const message =
      name === 'onSuccess'
        ? 'The provider has no `onSuccess`: use `useLogin({ onComplete })`'
        : `The provider has no \`${name}\``
    file.left(node, message, 'provider')
  }
  addDialogUrl(file, element, attributes)
  const clientId = attributes.get('clientId')
  if (clientId) {
    const [start, end] = getRange(clientId.node)
    file.text.remove(file.source.slice(0, start).trimEnd().length, end)
    file.changed(clientId.node, '`clientId` is gone: an app lists the origins of its pages')
  }
  const config = attributes.get('config')
  const value = config?.get('value')
  if (config && value && !Array.isArray(value) && value.isJSXExpressionContainer()) {
    const object = objectAt(value.get('expression') as NodePath)
    if (object) migrateConfig(file, object)
    else
      file.left(
        config.node,
        'The configuration comes from elsewhere: see for yourself that its keys fit',
        'provider',
      )
  }
}

function addDialogUrl(
  file: SourceFile,
  element: NodePath<t.JSXOpeningElement>,
  attributes: ReadonlyMap<string, NodePath<t.JSXAttribute>>,
) {
  if (attributes.has('dialogUrl')) return
  const { variable, expression } = getDialogUrlVariable(file)
  const text = `dialogUrl={${expression}}`
  const appId = attributes.get('appId')?.node
  if (appId) {
    const [start, end] = getRange(appId)
    const indent = /\n([^\S\n]*)$/.exec(file.source.slice(0, start))?.[1]
    file.text.appendLeft(end, indent === undefined ? ` ${text}` : `${getLineEnd(file)}${indent}${text}`)
  } else file.text.appendLeft(getRange(element.node.name)[1], ` ${text}`)
  file.changed(element.node, `\`dialogUrl\` is read from \`${variable}\``)
  file.left(
    element.node,
    `Set \`${variable}\` to the address of your dialog, and \`appId\` to the id of your app at Latchkey`,
    'provider',
  )
}

const variables = {
  next: 'NEXT_PUBLIC_LATCHKEY_DIALOG_URL',
  vite: 'VITE_LATCHKEY_DIALOG_URL',
  'create-react-app': 'REACT_APP_LATCHKEY_DIALOG_URL',
}

/**
 * Returns the environment variable of the dialog URL. The file's own code takes precedence over its
 * package.json.
 */
function getDialogUrlVariable({ source, path, project }: SourceFile) {
  const inFile = source.includes('import.meta.env')
    ? 'vite'
    : /process\.env\.NEXT_PUBLIC_/.test(source)
      ? 'next'
      : undefined
  const bundler = inFile ?? project.bundler
  const name = bundler ? variables[bundler] : 'LATCHKEY_DIALOG_URL'
  const variable = bundler === 'vite' ? `import.meta.env.${name}` : `process.env.${name}`
  return {
    variable: name,
    expression: /\.tsx?$/.test(path) && bundler !== 'vite' ? `${variable} as string` : variable,
  }
}

/**
 * Finds lazy providers: `const PrivyProvider = dynamic(() => import('@privy-io/react-auth').then((m) =>
 * m.PrivyProvider))`.
 */
function lazyProviders(file: SourceFile): NodePath[] {
  const providers: NodePath[] = []
  file.program.traverse({
    ImportExpression(path) {
      providers.push(...lazyProvider(file, path, path.node.source))
    },
    CallExpression(path) {
      const [source] = path.node.arguments
      if ((path.node.callee.type as string) === 'Import' && source)
        providers.push(...lazyProvider(file, path, source))
      const isRequire = path.get('callee').isIdentifier({ name: 'require' })
      if (isRequire && source?.type === 'StringLiteral' && source.value.startsWith('@privy-io/')) {
        file.left(path.node, `\`${source.value}\` is required here, which is left as it is`, 'provider')
      }
    },
    ExportNamedDeclaration({ node }) {
      leaveExport(file, node)
    },
    ExportAllDeclaration({ node }) {
      leaveExport(file, node)
    },
  })
  return providers
}

function leaveExport(file: SourceFile, node: t.ExportNamedDeclaration | t.ExportAllDeclaration) {
  if (!node.source?.value.startsWith('@privy-io/')) return
  file.left(
    node,
    `What \`${node.source.value}\` exports is passed on: import it from \`${react}\` where it is used`,
    'provider',
  )
}

function lazyProvider(file: SourceFile, path: NodePath, source: t.Node): NodePath[] {
  if (source.type !== 'StringLiteral' || !source.value.startsWith('@privy-io/')) return []
  const declarator = path.findParent((parent) => parent.isVariableDeclarator())
  const member = thenMember(path)
  if (
    source.value !== '@privy-io/react-auth' ||
    !member ||
    getKeyName(member) !== 'PrivyProvider' ||
    !declarator?.isVariableDeclarator() ||
    declarator.node.id.type !== 'Identifier' ||
    declarator.getFunctionParent()
  ) {
    file.left(
      path.node,
      `\`${source.value}\` is imported when it is needed, which is left as it is`,
      'provider',
    )
    return []
  }
  const quote = getQuote(file, source)
  replace(file, source, `${quote}${react}${quote}`)
  replace(file, member, 'LatchkeyProvider')
  file.changed(path.node, `\`PrivyProvider\`, now \`LatchkeyProvider\`, comes from \`${react}\``)
  const { node } = declarator
  if (/ssr:\s*false/.test(file.getText(node))) {
    file.left(node, 'The provider works on a server, so you can import it without `ssr: false`', 'provider')
  }
  const { id } = node
  if (id.type !== 'Identifier') return []
  const binding = declarator.scope.getBinding(id.name)
  if (!binding) return []
  // An exported provider keeps its name, because other files import it.
  const isExported = declarator.parentPath?.parentPath?.isExportNamedDeclaration() === true
  if (isExported) {
    file.left(
      id,
      'The provider is passed on here: give it `dialogUrl` where it is used, and no `clientId`',
      'provider',
    )
  } else if (id.name === 'PrivyProvider' && !file.program.scope.getBinding('LatchkeyProvider')) {
    file.text.update(id.start ?? 0, (id.start ?? 0) + id.name.length, 'LatchkeyProvider')
    for (const use of binding.referencePaths) {
      const content =
        use.parent.type === 'ObjectProperty' && use.parent.shorthand
          ? 'PrivyProvider: LatchkeyProvider'
          : 'LatchkeyProvider'
      replace(file, use.node, content)
    }
  }
  return binding.referencePaths
}

/**
 * Returns the name in `import(…).then((module) => module.Name)`, with or without a `default` object around it.
 */
function thenMember(imported: NodePath) {
  const call = imported.parentPath?.parentPath
  if (!call?.isCallExpression() || !imported.parentPath?.isMemberExpression()) return undefined
  const [callback] = call.node.arguments
  if (callback?.type !== 'ArrowFunctionExpression') return undefined
  const [parameter] = callback.params
  const body =
    callback.body.type === 'ObjectExpression' && callback.body.properties.length === 1
      ? callback.body.properties[0]
      : callback.body
  const value = body?.type === 'ObjectProperty' && getKeyName(body.key) === 'default' ? body.value : body
  if (value?.type !== 'MemberExpression' || value.object.type !== 'Identifier') return undefined
  if (parameter?.type !== 'Identifier' || parameter.name !== value.object.name || value.computed)
    return undefined
  return value.property
}
