/** Migrates one file from Privy to Latchkey. */

import type { NodePath } from '@babel/traverse'
import { migrateCallbacks } from './callbacks.ts'
import { migrateCalls } from './calls.ts'
import { findMembers, findPatternMembers, type Member } from './flow.ts'
import { findHookCalls, type HookCall, migrateHandlers, noteMissing } from './hooks.ts'
import { type Imported, moveImports } from './imports.ts'
import { goneFromUser, socialAccounts } from './names.ts'
import { migrateProviders } from './provider.ts'
import {
  type Change,
  type Note,
  openSource,
  type Project,
  parseProgram,
  type SourceFile,
} from './source-file.ts'
import { migrateWallets } from './wallets.ts'

export type Migrated = {
  code: string
  changes: Change[]
  notes: Note[]
}

/** Files without this word do not use Privy and are not parsed. */
const mentions = /privy/i

/** Returns the migrated file, or undefined if it does not parse. */
export function migrate(path: string, source: string, project: Project = {}): Migrated | undefined {
  const untouched = { code: source, changes: [], notes: [] }
  if (!mentions.test(source)) return untouched
  const file = openSource(path, source, project)
  if (!file) return undefined
  const imported = moveImports(file)
  const hooks = findHookCalls(file, imported)
  migrateProviders(file, imported)
  for (const hook of hooks) {
    noteMissing(file, hook)
    migrateHandlers(file, hook)
    migrateCallbacks(file, hook)
    migrateCalls(file, hook)
  }
  migrateWallets(file, imported, hooks)
  noteUsers(file, imported, hooks)
  noteConnector(file, imported)
  noteMocks(file)
  const code = file.text.apply()
  const byLine = (a: Change, b: Change) => a.line - b.line
  const notes = file.notes.toSorted(byLine)
  // A result that does not parse is a bug of the codemod: the file stays unchanged, with a note.
  if (code === undefined || parseProgram(path, code) === undefined) {
    const message = 'This file was left as it is, because its changes do not fit together'
    return { ...untouched, notes: [{ line: 1, message, heading: 'provider' }, ...notes] }
  }
  return { code, changes: file.changes.toSorted(byLine), notes }
}

type File = NonNullable<ReturnType<typeof openSource>>

function noteConnector(file: File, imported: ReturnType<typeof moveImports>) {
  for (const { name, module, uses } of imported) {
    if (module !== '@privy-io/wagmi' || name !== 'createConfig') continue
    for (const { node } of uses) {
      file.left(
        node,
        'Add `latchkeyConnector({ appId, dialogUrl })` of `@latchkey/loader/wagmi` to `connectors`',
        'wallets',
      )
    }
  }
}

/** Notes `jest.mock('@privy-io/react-auth', …)` and `vi.mock(…)`. */
function noteMocks(file: File) {
  file.program.traverse({
    CallExpression({ node }) {
      const [module] = node.arguments
      const isMock = /^(?:jest|vi)\.(?=\w*[mM]ock)\w+$/.test(file.getText(node.callee))
      if (!isMock || module?.type !== 'StringLiteral' || !module.value.startsWith('@privy-io/')) return
      file.left(
        node,
        `This test replaces \`${module.value}\`: replace \`@latchkey/loader/react\` instead`,
        'provider',
      )
    },
  })
}

/** Notes user fields that are elsewhere in Latchkey. */
function noteUsers(file: SourceFile, imported: Imported[], hooks: HookCall[]): void {
  const users = hooks.flatMap(({ members }) => members.filter(({ name }) => name === 'user'))
  const members = users.flatMap(({ uses }) => uses.flatMap(findMembers))
  const types = imported.filter(({ name, module }) => name === 'User' && module === '@privy-io/react-auth')
  for (const member of [...members, ...types.flatMap(({ uses }) => uses.flatMap(findTypeMembers))]) {
    noteMember(file, member)
  }
}

/** Returns the members of a parameter or variable that is typed as a user. */
function findTypeMembers(use: NodePath): Member[] {
  const annotation = use.findParent((path) => path.isTSTypeAnnotation())
  const declared = annotation?.parentPath
  return declared?.isIdentifier() ? findPatternMembers(declared.node, declared.scope) : []
}

function noteMember(file: SourceFile, { name, at }: Member) {
  if (name === 'createdAt') {
    file.left(at, '`user.createdAt` is in seconds since 1970, and not a `Date`', 'user')
  } else if (Object.hasOwn(socialAccounts, name)) {
    const type = socialAccounts[name]
    file.left(at, `\`user.${name}\` is the account of type \`${type}\` in \`user.linkedAccounts\``, 'user')
  } else if (goneFromUser.includes(name)) file.left(at, `A user has no \`${name}\``, 'user')
}
