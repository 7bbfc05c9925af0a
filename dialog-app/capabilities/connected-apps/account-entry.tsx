import type { AccountRowEntry, AccountRowProps } from '../../contract/account.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AccountRow } from '../../ui/rows/account-row.tsx'
import { connectedAppsScreen } from './screens.ts'
import { texts } from './texts.arb'

export function Row({ onOpen }: AccountRowProps) {
  const { account } = useTexts(texts)
  return <AccountRow icon="apps" label={account} onPress={onOpen} />
}

export const createAccountEntry = ({ dapps }: Pick<CapabilityPorts, 'dapps'>): AccountRowEntry => ({
  texts,
  Row,
  open: (screens) => screens.open(connectedAppsScreen, { dapps }),
})
