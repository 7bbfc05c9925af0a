/**
 * What the dialog asks of the host's page itself is a request to a wallet of the page, which has this name. The
 * page answers it with what few pages load, its loader's second file.
 */
import { callNames, type SwitchedLoginMethod } from '../entities/login-methods.ts'
import { productKey } from '../names/product.ts'

/** The page itself is named by this in the place of a wallet's id. */
export const hostPageId = 'page'

/** The wallets that extensions have put into it. */
export const findPageWalletsMethod = `${productKey}_findWallets`

/**
 * What a login method put into its address, in one of two forms: all of `login`, or, with `webApp`, that of a page that the
 * method's own app opened. It leaves the address.
 */
export const toTakeReturnMethod = (method: SwitchedLoginMethod) =>
  `${productKey}_take${callNames[method]}Return`
