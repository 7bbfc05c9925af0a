/**
 * What the dialog asks of the host's page itself is a request to a wallet of the page, which has this name. The
 * page answers it with what few pages load, its loader's second file.
 */
import { productKey } from '../names/product.ts'

/** In the place of a wallet's id. */
export const pageItself = 'page'

/** The wallets that extensions have put into it. */
export const findWalletsOfPage = `${productKey}_findWallets`

/**
 * What Telegram put into the address of the page: `id`, `hash` and `auth_date` with what comes with them, all there or
 * none of Telegram's; and, with `webApp`, the data of a page that Telegram opened itself. Both leave the address.
 */
export const takeTelegramReturn = `${productKey}_takeTelegramReturn`

export type TelegramReturn = {
  readonly form: 'login' | 'web app'
  readonly fields: Readonly<Record<string, string>>
}
