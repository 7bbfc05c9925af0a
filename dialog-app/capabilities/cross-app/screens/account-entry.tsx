import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { AccountRow } from '../../../ui/rows/account-row.tsx'
import { texts } from '../texts.arb'

export type AccountEntryEvents = { readonly open: readonly [] }

export function AccountEntry({ send }: PartProps<object, AccountEntryEvents>) {
  const { account } = useTexts(texts)
  return <AccountRow icon="wallet" label={account.entry} onPress={() => send('open')} />
}
