/**
 * Requests of the dialog to the host page itself, sent as wallet requests with these names. The loader's second file
 * answers them.
 */
import { callNames, type SwitchedLoginMethod } from '../entities/login-methods.ts'
import { productKey } from '../names/product.ts'

/** Identifies the page in place of a wallet id. */
export const hostPageId = 'page'

/** Lists the wallet extensions of the page. */
export const findPageWalletsMethod = `${productKey}_findWallets`

/** Lists the Solana wallets of the page. Earlier loaders reject it. */
export const findSolanaWalletsMethod = `${productKey}_findSolanaWallets`
/** Requests for a Solana wallet: its accounts, and a signed login. */
export const solanaConnectMethod = `${productKey}_solanaConnect`
export const solanaSignInMethod = `${productKey}_solanaSignIn`

/**
 * Returns the request that takes a login method's parameters from the page's URL: all of `login`, or, with `webApp`,
 * those of a page that the method's own app opened. The page removes them from its URL.
 */
export const toTakeReturnMethod = (method: SwitchedLoginMethod) =>
  `${productKey}_take${callNames[method]}Return`

/** Requests a token of the page's own login. The result is the token, or null if no user is logged in to the page. */
export const getPageTokenMethod = `${productKey}_getToken`
