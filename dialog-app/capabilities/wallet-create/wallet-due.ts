import { type UserRecord, walletIsDue } from '@latchkey/protocol'
import { createOnLogin, recoveryIsChosen, type Settings } from '../../core/settings.ts'

/** Whether a wallet is made now without asking: where the user says how it is kept, it is made with their choice. */
export const isWalletDue = (settings: Settings, user: UserRecord): boolean =>
  !recoveryIsChosen(settings) && walletIsDue(createOnLogin(settings), user)

export const isChoiceDue = (settings: Settings, user: UserRecord): boolean =>
  recoveryIsChosen(settings) && walletIsDue(createOnLogin(settings), user)
