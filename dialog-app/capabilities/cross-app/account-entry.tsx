import type { AccountRowEntry, AccountRowProps } from '../../contract/account.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AccountRow } from '../../ui/rows/account-row.tsx'
import type { CrossAppParts } from './parts.ts'
import { texts } from './texts.arb'
import { walletsFlow } from './wallets-flow.ts'

export function Row({ onOpen }: AccountRowProps) {
  const { account } = useTexts(texts)
  return <AccountRow icon="wallet" label={account.entry} onPress={onOpen} />
}

export const createAccountEntry = (parts: CrossAppParts): AccountRowEntry => ({
  texts,
  Row,
  open: (screens) => screens.run(walletsFlow(parts)),
})
