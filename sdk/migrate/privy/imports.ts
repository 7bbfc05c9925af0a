/** Moves imports and renames the imported names at every use. */
import type { Binding, NodePath } from '@babel/traverse'
import type * as t from '@babel/types'
import { findTarget, isPrivy, type Target } from './names.ts'
import { reasonFor } from './reasons.ts'
import { getLineEnd, getQuote, getRange, replace, type SourceFile } from './source-file.ts'

/** An imported name of Privy. */
export type Imported = {
  /** Its name in Latchkey. */
  name: string
  module: string
  uses: NodePath[]
}

type Specifier = {
  node: t.ImportSpecifier
  isType: boolean
  target: Target | undefined
  /** Its local name after the change. */
  local: string
}

const importedName = ({ imported }: t.ImportSpecifier) =>
  imported.type === 'Identifier' ? imported.name : imported.value

export function moveImports(file: SourceFile): Imported[] {
  const declarations = file.program.get('body').filter((path) => path.isImportDeclaration())
  const imported: Imported[] = []
  const types = findTypeNames(file)
  const addedNames = new Set<string>()
  const homes = new Homes(file, declarations)
  for (const declaration of declarations) {
    const { source, specifiers } = declaration.node
    if (!isPrivy(source.value)) continue
    const whole = specifiers.find((specifier) => specifier.type !== 'ImportSpecifier')
    if (whole) {
      reportImport(file, whole, source.value, '*')
      continue
    }
    const privySpecifiers: Specifier[] = []
    for (const specifier of specifiers) {
      if (specifier.type !== 'ImportSpecifier') continue
      const name = importedName(specifier)
      const target = findTarget(source.value, name)
      const isType = declaration.node.importKind === 'type' || specifier.importKind === 'type'
      const binding = file.program.scope.getBinding(specifier.local.name)
      if (!target || !binding) {
        reportImport(file, specifier, source.value, name)
        privySpecifiers.push({ node: specifier, isType, target: undefined, local: specifier.local.name })
        continue
      }
      const uses = [...binding.referencePaths, ...types.findUses(binding)]
      const local = rename(file, binding, uses, types, addedNames, specifier, target.name)
      addedNames.add(local)
      privySpecifiers.push({ node: specifier, isType, target, local })
      imported.push({ name: target.name, module: source.value, uses })
    }
    if (specifiers.length === 0) reportImport(file, declaration.node, source.value, source.value)
    if (privySpecifiers.some(({ target }) => target)) move(file, declaration, privySpecifiers, homes)
  }
  homes.finish()
  return imported
}

function reportImport(file: SourceFile, node: t.Node, module: string, name: string) {
  const [message, heading] = reasonFor(module, name)
  file.left(node, message, heading)
}

/** Finds names in type positions, which Babel's scopes do not include. */
function findTypeNames(file: SourceFile) {
  const typeNames: NodePath<t.Identifier>[] = []
  const declared = new Set<string>()
  const declare = ({ node }: NodePath<t.TSTypeAliasDeclaration | t.TSInterfaceDeclaration>) => {
    declared.add(node.id.name)
  }
  file.program.traverse({
    TSTypeAliasDeclaration: declare,
    TSInterfaceDeclaration: declare,
    TSTypeParameter({ node }) {
      declared.add(typeof node.name === 'string' ? node.name : (node.name as t.Identifier).name)
    },
    Identifier(path) {
      const { type } = path.parent
      const isName =
        (type === 'TSTypeReference' && path.key === 'typeName') ||
        (type === 'TSQualifiedName' && path.key === 'left') ||
        (type === 'TSTypeQuery' && path.key === 'exprName')
      if (isName) typeNames.push(path)
    },
  })
  return {
    declared,
    findUses: (binding: Binding): NodePath[] =>
      typeNames.filter(
        (path) =>
          path.scope.getBinding(path.node.name) === binding &&
          !binding.referencePaths.some(({ node }) => node === path.node),
      ),
  }
}

/** Renames every use of an import without an alias. Returns the local name after the change. */
function rename(
  file: SourceFile,
  binding: Binding,
  uses: NodePath[],
  { declared }: ReturnType<typeof findTypeNames>,
  addedNames: ReadonlySet<string>,
  specifier: t.ImportSpecifier,
  to: string,
): string {
  const from = specifier.local.name
  if (from !== importedName(specifier) || from === to) return from
  const isTaken =
    [binding.scope, ...uses.map(({ scope }) => scope)].some((scope) => scope.getBinding(to) !== undefined) ||
    declared.has(to) ||
    addedNames.has(to) ||
    declared.has(from)
  // If the new name is taken, the old one stays as an alias.
  if (isTaken) return from
  for (const { node, parent } of uses) {
    if (parent.type === 'ObjectProperty' && parent.shorthand) replace(file, node, `${from}: ${to}`)
    else if (parent.type === 'ExportSpecifier' && parent.local.start === parent.exported.start) {
      replace(file, node, `${to} as ${from}`)
    } else replace(file, node, to)
  }
  return to
}

const getText = ({ target, local, node, isType }: Specifier, inTypeImport: boolean) => {
  const name = target?.name ?? importedName(node)
  return `${isType && !inTypeImport ? 'type ' : ''}${name === local ? name : `${name} as ${local}`}`
}

function move(
  file: SourceFile,
  declaration: NodePath<t.ImportDeclaration>,
  specifiers: Specifier[],
  homes: Homes,
) {
  const { node } = declaration
  const inTypeImport = node.importKind === 'type'
  const modules = [...new Set(specifiers.map(({ target }) => target?.from ?? node.source.value))]
  for (const { node: at, target, local } of specifiers) {
    if (!target) continue
    const from = importedName(at)
    const description = target.name === from ? `\`${from}\`` : `\`${from}\`, now \`${target.name}\`,`
    const localName = local === target.name ? '' : ` as \`${local}\``
    file.changed(at, `${description} comes from \`${target.from}\`${localName}`)
  }
  const [only = ''] = modules
  if (modules.length === 1 && !homes.has(only, inTypeImport)) {
    for (const specifier of specifiers) {
      const content = getText(specifier, inTypeImport)
      if (content !== file.getText(specifier.node)) replace(file, specifier.node, content)
    }
    const quote = getQuote(file, node.source)
    replace(file, node.source, `${quote}${only}${quote}`)
    homes.add(only, node)
    return
  }
  const groups = modules.flatMap((module): ImportGroup[] => {
    const own = specifiers.filter(({ target }) => (target?.from ?? node.source.value) === module)
    const isTypes = inTypeImport || own.every(({ isType }) => isType)
    const names = own.map((specifier) => getText(specifier, isTypes))
    if (module !== node.source.value && homes.extend(module, isTypes, names)) return []
    return [homes.found({ module, isTypes, names })]
  })
  homes.later(declaration.node, groups)
}

const longestListOfNames = 40

type ImportGroup = { module: string; isTypes: boolean; names: string[] }

/** The import declarations that a moved import can join. */
class Homes {
  readonly #file: SourceFile
  readonly #declarations: { module: string; node: t.ImportDeclaration }[]
  readonly #groups: ImportGroup[] = []
  readonly #unwritten: (() => void)[] = []

  constructor(file: SourceFile, declarations: NodePath<t.ImportDeclaration>[]) {
    this.#file = file
    this.#declarations = declarations.map(({ node }) => ({ module: node.source.value, node }))
  }

  #find(module: string, isTypes: boolean) {
    return this.#declarations.find(
      ({ module: other, node }) =>
        other === module &&
        (node.importKind === 'type') === isTypes &&
        node.specifiers.length > 0 &&
        node.specifiers.every((specifier) => specifier.type === 'ImportSpecifier'),
    )?.node
  }

  #group(module: string, isTypes: boolean) {
    return this.#groups.find((group) => group.module === module && group.isTypes === isTypes)
  }

  has(module: string, isTypes: boolean): boolean {
    return this.#find(module, isTypes) !== undefined || this.#group(module, isTypes) !== undefined
  }

  add(module: string, node: t.ImportDeclaration) {
    this.#declarations.push({ module, node })
  }

  found(group: ImportGroup): ImportGroup {
    this.#groups.push(group)
    return group
  }

  extend(module: string, isTypes: boolean, names: string[]): boolean {
    const group = this.#group(module, isTypes)
    if (group) {
      group.names.push(...names)
      return true
    }
    const last = this.#find(module, isTypes)?.specifiers.at(-1)
    if (!last) return false
    const { source, text } = this.#file
    const indent = /\n([^\S\n]*)$/.exec(source.slice(0, last.start ?? 0))?.[1]
    const gap = indent === undefined ? ' ' : `${getLineEnd(this.#file)}${indent}`
    text.appendLeft(last.end ?? 0, names.map((each) => `,${gap}${each}`).join(''))
    return true
  }

  /** Rewrites a declaration at the end, when all its joined imports are known. */
  later(node: t.ImportDeclaration, groups: ImportGroup[]) {
    const file = this.#file
    const semicolon = file.getText(node).endsWith(';') ? ';' : ''
    const quote = getQuote(file, node.source)
    // A multiline declaration stays multiline if it would be too long for one line.
    const lineEnd = getLineEnd(file)
    const indent = /\{\s*\n([^\S\n]*)/.exec(file.getText(node))?.[1]
    const isWide = (names: string[]) => indent !== undefined && names.join(', ').length > longestListOfNames
    const multiline = (names: string[]) =>
      `${lineEnd}${names.map((each) => `${indent}${each},${lineEnd}`).join('')}`
    this.#unwritten.push(() => {
      const lines = groups.map(({ module, isTypes, names }) => {
        const list = isWide(names) ? multiline(names) : ` ${names.join(', ')} `
        return `import ${isTypes ? 'type ' : ''}{${list}} from ${quote}${module}${quote}${semicolon}`
      })
      const [start, end] = getRange(node)
      const rest = /^[^\S\n]*\n/.exec(file.source.slice(end))?.[0].length ?? 0
      if (lines.length === 0) file.text.remove(start, end + rest)
      else replace(file, node, lines.join(getLineEnd(file)))
    })
  }

  finish() {
    for (const write of this.#unwritten) write()
  }
}
