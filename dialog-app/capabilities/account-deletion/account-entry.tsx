import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AccountRow } from '../../ui/rows/account-row.tsx'
import { texts } from './texts.arb'

export type AccountEntryState = Readonly<Record<never, never>>
export type AccountEntryEvents = { readonly open: readonly [] }

export function AccountEntry({ send }: PartProps<AccountEntryState, AccountEntryEvents>) {
  const { entry } = useTexts(texts)
  return <AccountRow icon="person" label={entry} onPress={() => send('open')} />
}
