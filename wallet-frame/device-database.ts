/** Names the IndexedDB database of a user's shares on this device. */
import { product } from '@latchkey/protocol'

export const databaseName = (owner: { appId: string; userId: string }) =>
  product.storageName('vault', owner.appId, owner.userId)
