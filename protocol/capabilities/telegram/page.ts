/** What the dialog asks of the host's page for a login by Telegram. */
import { productKey } from '../../names/product.ts'

/**
 * The page answers with what Telegram put into its address: `id`, `hash` and `auth_date` with what comes with them, all
 * or none of them; and, with `webApp`, the data of a page that Telegram opened itself. Both leave the address.
 */
export const takeTelegramReturn = `${productKey}_takeTelegramReturn`

export type TelegramReturn = {
  readonly form: 'login' | 'web app'
  readonly fields: Readonly<Record<string, string>>
}
