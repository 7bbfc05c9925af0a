import * as v from 'valibot'
import { environmentPart } from '../environment.ts'

const feedUrl = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/\S+[^/\s]$/, 'must be an http address without a slash at its end'),
)

export const priceEnvironment = environmentPart({
  /** Without one nobody is asked, and nothing has a price. */
  PRICE_FEED_URL: v.optional(feedUrl),
  PRICE_FEED_KEY: v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, 'must have no spaces'))),
})
