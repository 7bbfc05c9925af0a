import { type UserRecord, walletIsDue } from '@latchkey/protocol'
import type { Settings } from '../../core/settings.ts'

/** A setting of the host wins where both have it. */
export const isWalletDue = ({ app, config }: Settings, user: UserRecord): boolean =>
  walletIsDue(config.embeddedWallets?.createOnLogin ?? app.embeddedWalletConfig.createOnLogin, user)
