/** Where the shares of a user lie on this device. */
import { product } from '@latchkey/protocol'

export const databaseName = (owner: { readonly appId: string; readonly userId: string }) =>
  product.storageName('vault', owner.appId, owner.userId)
