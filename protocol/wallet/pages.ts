import * as v from 'valibot'
import { product } from '../names/product.ts'

/** Pages of the wallet origin that the dialog frames, by the end of their path. They have no network access. */
export const walletPages = ['import'] as const
export type WalletPage = (typeof walletPages)[number]

export const pageHeightType = `${product.eventPrefix}page-height` as const
/** Reports the page's height, so that the card fits its content. */
export const pageHeightMessage = v.object({
  type: v.literal(pageHeightType),
  heightPx: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_000)),
})
export type PageHeightMessage = v.InferOutput<typeof pageHeightMessage>
