import { type createOnLoginOptions, embeddedWallet, type UserRecord } from '@latchkey/protocol'
import type { Settings } from '../../core/settings.ts'

type CreateOnLogin = (typeof createOnLoginOptions)[number]

const walletIsDue: { readonly [option in CreateOnLogin]: (user: UserRecord) => boolean } = {
  off: () => false,
  'all-users': (user) => embeddedWallet(user) === undefined,
  'users-without-wallets': (user) => !user.linkedAccounts.some((account) => account.type === 'wallet'),
}

export function isWalletDue({ app, config }: Settings, user: UserRecord): boolean {
  const option = config.embeddedWallets?.createOnLogin ?? app.embeddedWalletConfig.createOnLogin ?? 'off'
  return walletIsDue[option](user)
}
