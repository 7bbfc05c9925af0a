import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { AccountRow } from '../../../ui/rows/account-row.tsx'
import { texts } from '../texts.arb'

export type AccountEntryState = { readonly isOn: boolean }
export type AccountEntryEvents = { readonly open: readonly [] }

export function AccountEntry({ state, send }: PartProps<AccountEntryState, AccountEntryEvents>) {
  const { account } = useTexts(texts)
  return (
    <AccountRow
      icon="shield"
      label={account.label}
      note={state.isOn ? account.on : account.off}
      onPress={() => send('open')}
    />
  )
}
