/** The calls of hooks in a file, and what each gives. */
import type { NodePath } from '@babel/traverse'
import { argumentsOf, callOf, type Member, membersOf } from './flow.ts'
import type { Imported } from './imports.ts'
import { results } from './names.ts'
import type { SourceFile } from './source-file.ts'

export type HookCall = {
  name: string
  /** The first argument, which has the callbacks. */
  options: NodePath | undefined
  members: readonly Member[]
}

export function hookCallsIn(file: SourceFile, imported: readonly Imported[]): readonly HookCall[] {
  return imported
    .filter(({ name }) => Object.hasOwn(results, name))
    .flatMap(({ name, uses }) =>
      uses.flatMap((use): readonly HookCall[] => {
        if (use.parent.type === 'TSTypeQuery') return []
        const call = callOf(use)
        if (!call) {
          file.left(
            use.node,
            `\`${name}\` is passed on here: see for yourself how its result is used`,
            'user',
          )
          return []
        }
        return [{ name, options: argumentsOf(call)[0], members: membersOf(call) }]
      }),
    )
}

const instead: Readonly<Record<string, string>> = {
  loginWithCode: 'A page never sees a code: `sendCode()` opens the dialog, where the user types it',
  state: 'A page does not follow the steps of a login, which are in the dialog',
  loading: 'A page does not follow the steps of a login: `useModalStatus()` says whether the dialog is open',
  showMfaEnrollmentModal: '`showMfaEnrollmentModal()` is `showMfaEnrollment()`',
  closeMfaEnrollmentModal: '`closeMfaEnrollmentModal()` is `closeMfaEnrollment()`',
  linkCrossAppAccount: '`linkCrossAppAccount({ appId })` is `link({ appId })`',
  unlinkCrossAppAccount: '`unlinkCrossAppAccount({ subject })` is `unlink({ subject })`',
}

/** Names that a hook of Privy gives and ours does not. */
export function noteMissing(file: SourceFile, { name, members }: HookCall): void {
  for (const { name: member, at } of members) {
    if (results[name]?.includes(member)) continue
    const isHeadless = name.startsWith('useLoginWith')
    const reason = Object.hasOwn(instead, member) ? instead[member] : undefined
    file.left(
      at,
      reason ?? `\`${name}()\` gives no \`${member}\``,
      isHeadless ? 'impossible' : name.includes('Wallet') ? 'wallets' : 'user',
    )
  }
}

const isEventHandler = (attribute: NodePath | null | undefined) =>
  attribute?.isJSXAttribute() &&
  attribute.node.name.type === 'JSXIdentifier' &&
  /^on[A-Z]/.test(attribute.node.name.name)

/** Privy's calls that may be given to a button as they are. */
const handlers =
  /^(?:login|logout|connectWallet|connectOrCreateWallet|createWallet|exportWallet|setWalletRecovery|link[A-Z]\w*)$/

/** A call takes options where Privy's also takes an event of the page, so a handler calls it without any. */
export function migrateHandlers(file: SourceFile, { name, members }: HookCall): void {
  for (const member of members) {
    if (!results[name]?.includes(member.name) || !handlers.test(member.name)) continue
    for (const use of member.uses) {
      const container = use.parentPath
      if (!container?.isJSXExpressionContainer() || !isEventHandler(container.parentPath)) continue
      file.text.appendRight(use.node.start ?? 0, '() => ')
      file.text.appendLeft(use.node.end ?? 0, '()')
      file.changed(use.node, `The handler calls \`${member.name}()\` without the event`)
    }
  }
}
