/** What of a user stands elsewhere here: it is named, and left. */
import type { NodePath } from '@babel/traverse'
import { type Member, membersOf, membersOfPattern } from './flow.ts'
import type { HookCall } from './hooks.ts'
import type { Imported } from './imports.ts'
import { goneFromUser, socialAccounts } from './names.ts'
import type { SourceFile } from './source-file.ts'

export function noteUsers(file: SourceFile, imported: readonly Imported[], hooks: readonly HookCall[]): void {
  const users = hooks.flatMap(({ members }) => members.filter(({ name }) => name === 'user'))
  const members = users.flatMap(({ uses }) => uses.flatMap(membersOf))
  const types = imported.filter(({ name, module }) => name === 'User' && module === '@privy-io/react-auth')
  for (const member of [...members, ...types.flatMap(({ uses }) => uses.flatMap(membersOfType))]) {
    noteMember(file, member)
  }
}

/** Of a parameter or variable that is declared to be a user. */
function membersOfType(use: NodePath): readonly Member[] {
  const annotation = use.findParent((path) => path.isTSTypeAnnotation())
  const declared = annotation?.parentPath
  return declared?.isIdentifier() ? membersOfPattern(declared.node, declared.scope) : []
}

function noteMember(file: SourceFile, { name, at }: Member) {
  if (name === 'createdAt') {
    file.left(at, '`user.createdAt` is in seconds since 1970, and not a `Date`', 'user')
  } else if (Object.hasOwn(socialAccounts, name)) {
    const type = socialAccounts[name]
    file.left(at, `\`user.${name}\` is the account of type \`${type}\` in \`user.linkedAccounts\``, 'user')
  } else if (goneFromUser.includes(name)) file.left(at, `A user has no \`${name}\``, 'user')
}
