import { type UserRecord, walletIsDue } from '@latchkey/protocol'
import { createOnLogin, recoveryIsChosen, type Settings } from '../../core/settings.ts'

/** Whether a wallet is made now without asking: where the user says how it is kept, it is made with their choice. */
export const isWalletDue = (settings: Settings, user: UserRecord, isWanted?: boolean): boolean =>
  !recoveryIsChosen(settings) && walletIsDue(isWanted ? 'all-users' : createOnLogin(settings), user)
