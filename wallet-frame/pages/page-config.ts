/** What the server wrote into the page, and what the dialog wrote into its URL. Nothing secret is in either. */
import { LatchkeyError, product, walletInlineConfigSchema } from '@latchkey/protocol'
import * as v from 'valibot'

const queryId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,128}$/))
const querySchema = v.object({
  caid: v.fallback(v.optional(queryId), undefined),
  client_id: v.fallback(v.optional(queryId), undefined),
})

export function readPageConfig(inline: string | null | undefined, search: string) {
  const query = v.parse(querySchema, Object.fromEntries(new URLSearchParams(search)))
  return { ...readInline(inline), analyticsId: query.caid, clientId: query.client_id }
}

function readInline(inline: string | null | undefined) {
  try {
    return v.parse(walletInlineConfigSchema, JSON.parse(inline ?? ''))
  } catch (cause) {
    throw new LatchkeyError(
      'invalid_data',
      `The page carries no readable #${product.inlineConfigElementId}`,
      { cause },
    )
  }
}
