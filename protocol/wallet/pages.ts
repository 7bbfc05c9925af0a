import * as v from 'valibot'
import { product } from '../names/product.ts'

/** Pages of the wallet's origin that the dialog frames, by the end of their path. None has a network. */
export const walletPages = ['import'] as const
export type WalletPage = (typeof walletPages)[number]

export const pageHeightType = `${product.eventPrefix}page-height` as const
/** What such a page tells the dialog: how high it is, so that the card leaves no space below it. */
export const pageHeightMessage = v.object({
  type: v.literal(pageHeightType),
  heightPx: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_000)),
})
export type PageHeightMessage = v.InferOutput<typeof pageHeightMessage>
