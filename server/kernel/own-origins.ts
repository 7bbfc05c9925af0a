import { isOnHostOf } from '@latchkey/protocol'
import type { ServerConfig } from './config.ts'

/** Whether somebody else named an address of ours: of the dialog, or of the wallet. */
export const isOwnAddress = (
  { dialogOrigin, walletOrigin }: Pick<ServerConfig, 'dialogOrigin' | 'walletOrigin'>,
  address: string,
): boolean => isOnHostOf(address, [dialogOrigin, walletOrigin])
