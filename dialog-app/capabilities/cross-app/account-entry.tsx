import { createCall } from '../../app/screen-stack.ts'
import { rejectedError } from '../../approval/rejection.ts'
import type { AccountRowEntry, AccountRowProps } from '../../contract/account.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AccountRow } from '../../ui/rows/account-row.tsx'
import { providerOf } from './connections.ts'
import { unlink } from './method.ts'
import type { CrossAppParts } from './parts.ts'
import { walletsScreen } from './screens.ts'
import { texts } from './texts.arb'

export function Row({ onOpen }: AccountRowProps) {
  const { account } = useTexts(texts)
  return <AccountRow icon="wallet" label={account.entry} onPress={onOpen} />
}

export const createAccountEntry = (parts: CrossAppParts): AccountRowEntry => ({
  texts,
  Row,
  open: (screens) => screens.run(showWallets(parts)),
})

/** The account screen stays visible until the providers are loaded. */
const showWallets = (parts: CrossAppParts): Flow<undefined> =>
  createCall<undefined>(
    parts,
    { kind: 'link', onClose: () => failed(rejectedError()), onBack: () => done(undefined) },
    async ({ open, signal }) => {
      // A user can unlink a wallet even if its provider is unknown.
      const loadConnections = () => parts.connections.all({ signal }).catch(() => [])
      return open(walletsScreen, {
        connections: await loadConnections(),
        loadConnections,
        unlink: ({ providerAppId, subject }) => unlink(parts, providerOf(providerAppId), subject, { signal }),
      })
    },
  )
