/** Finds hook calls in a file, and the members that are read from their results. */
import type { NodePath } from '@babel/traverse'
import { findCall, findMembers, getArguments, type Member } from './flow.ts'
import type { Imported } from './imports.ts'
import { results } from './names.ts'
import type { SourceFile } from './source-file.ts'

export type HookCall = {
  name: string
  /** The first argument, which contains the callbacks. */
  options: NodePath | undefined
  members: Member[]
}

export function findHookCalls(file: SourceFile, imported: Imported[]): HookCall[] {
  return imported
    .filter(({ name }) => Object.hasOwn(results, name))
    .flatMap(({ name, uses }) =>
      uses.flatMap((use): HookCall[] => {
        if (use.parent.type === 'TSTypeQuery') return []
        const call = findCall(use)
        if (!call) {
          file.left(
            use.node,
            `\`${name}\` is passed on here: see for yourself how its result is used`,
            'user',
          )
          return []
        }
        return [{ name, options: getArguments(call)[0], members: findMembers(call) }]
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

/** Notes members that Privy's hook returns and ours does not. */
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

/** Calls of Privy that may be passed directly as event handlers. */
const handlers =
  /^(?:login|logout|connectWallet|connectOrCreateWallet|createWallet|exportWallet|setWalletRecovery|link[A-Z]\w*)$/

/** Wraps event handlers, because our calls take options where Privy's calls accept the event. */
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
