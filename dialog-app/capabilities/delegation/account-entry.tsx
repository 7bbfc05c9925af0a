import { findEmbeddedWallet } from '@latchkey/protocol'
import { QueryProvider } from '../../app/server-data/query-provider.tsx'
import type { AccountRowEntry, AccountRowProps } from '../../contract/account.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AccountRow } from '../../ui/rows/account-row.tsx'
import { useDelegations } from './delegations.ts'
import { delegationScreen } from './screens.ts'
import { texts } from './texts.arb'

export function Row({ onOpen }: Pick<AccountRowProps, 'onOpen'>) {
  const { account } = useTexts(texts)
  return <AccountRow icon="shield" label={account} onPress={onOpen} />
}

/** Appears once a network reports that the wallet runs a contract. Few wallets do. */
function FoundRow({ user, onOpen }: AccountRowProps) {
  const { data } = useDelegations(findEmbeddedWallet(user)?.address ?? '')
  return data && data.delegations.length > 0 ? <Row onOpen={onOpen} /> : null
}

const QueriedRow = (props: AccountRowProps) => (
  <QueryProvider>
    <FoundRow {...props} />
  </QueryProvider>
)

export const createAccountEntry = (ports: CapabilityPorts): AccountRowEntry => ({
  texts,
  Row: QueriedRow,
  async open(screens, user) {
    const account = findEmbeddedWallet(user)
    if (account) await screens.open(delegationScreen, { ports, account })
  },
})
