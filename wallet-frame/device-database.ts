/** The IndexedDB databases that hold the shares of users on this device. */
import { product } from '@latchkey/protocol'

export const databaseName = (owner: { appId: string; userId: string }) =>
  product.storageName('vault', owner.appId, owner.userId)
