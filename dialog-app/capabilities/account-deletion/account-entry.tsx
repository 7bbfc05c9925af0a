import type { AccountRowEntry, AccountRowProps } from '../../contract/account.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AccountRow } from '../../ui/rows/account-row.tsx'
import { accountDeletionScreen } from './screens.ts'
import { texts } from './texts.arb'

export function Row({ onOpen }: AccountRowProps) {
  const { entry } = useTexts(texts)
  return <AccountRow icon="person" label={entry} onPress={onOpen} />
}

export const createAccountEntry = (ports: CapabilityPorts): AccountRowEntry => ({
  texts,
  Row,
  open: (screens, user) => screens.open(accountDeletionScreen, { user, ports }),
})
