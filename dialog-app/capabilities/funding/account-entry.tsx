import { findEmbeddedWallet } from '@latchkey/protocol'
import type { AccountRowEntry, AccountRowProps } from '../../contract/account.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AccountRow } from '../../ui/rows/account-row.tsx'
import type { FundingCalls } from './host-calls.ts'
import { texts } from './texts.arb'

export function Row({ onOpen }: AccountRowProps) {
  const { account } = useTexts(texts)
  return <AccountRow icon="wallet" label={account} onPress={onOpen} />
}

export const createAccountEntry = ({ receive }: FundingCalls): AccountRowEntry => ({
  texts,
  Row,
  async open(screens, user) {
    const wallet = findEmbeddedWallet(user)
    if (wallet) await screens.run(receive({ address: wallet.address, userId: user.id }))
  },
})
