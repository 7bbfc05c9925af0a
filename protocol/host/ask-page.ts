/**
 * What the dialog asks of the host's page itself is a request to a wallet of the page, which has this name. The
 * page answers it with what few pages load, its loader's second file.
 */
import { productKey } from '../names/product.ts'

/** The page itself is named by this in the place of a wallet's id. */
export const pageItself = 'page'

/** The wallets that extensions have put into it. */
export const findWalletsOfPage = `${productKey}_findWallets`
