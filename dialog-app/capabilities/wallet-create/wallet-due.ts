import { type UserRecord, walletIsDue } from '@latchkey/protocol'
import { createOnLogin, recoveryIsChosen, type Settings } from '../../host/settings.ts'

/** A wallet is wanted where whoever asked for the login gets it, whatever the settings are. */
const isDue = (settings: Settings, user: UserRecord, isWanted = false): boolean =>
  walletIsDue(isWanted ? 'all-users' : createOnLogin(settings), user)

/** Whether a wallet is made now without asking: where the user says how it is kept, it is made with their choice. */
export const isWalletDue = (settings: Settings, user: UserRecord, isWanted?: boolean): boolean =>
  !recoveryIsChosen(settings) && isDue(settings, user, isWanted)

export const isChoiceDue = (settings: Settings, user: UserRecord, isWanted?: boolean): boolean =>
  recoveryIsChosen(settings) && isDue(settings, user, isWanted)
