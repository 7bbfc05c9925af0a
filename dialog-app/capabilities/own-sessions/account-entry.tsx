import type { AccountRowEntry, AccountRowProps } from '../../contract/account.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AccountRow } from '../../ui/rows/account-row.tsx'
import { ownSessionsScreen } from './screens.ts'
import { texts } from './texts.arb'

export function Row({ onOpen }: AccountRowProps) {
  const { account } = useTexts(texts)
  return <AccountRow icon="phone" label={account} onPress={onOpen} />
}

export const accountEntry: AccountRowEntry = {
  texts,
  Row,
  open: (screens) => screens.open(ownSessionsScreen, {}),
}
