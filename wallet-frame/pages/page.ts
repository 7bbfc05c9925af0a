/** What the server wrote into the page, and what the dialog wrote into its URL. Nothing secret is in either. */
import {
  LatchkeyError,
  originIsListed,
  product,
  type WalletInlineConfig,
  walletInlineConfigSchema,
} from '@latchkey/protocol'
import * as v from 'valibot'
import type { HostPage } from '../shares/ports.ts'

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

/**
 * Under which windows this page may run: the dialog right above it, and above that only origins of the app.
 *
 * The browser holds the same rule by our `frame-ancestors`. This is the second lock, in case a proxy strips
 * headers. A browser without `ancestorOrigins` has the first one alone.
 */
export function mayRunUnder(
  ancestors: readonly string[] | undefined,
  { dialogOrigin, hostOrigins }: Pick<WalletInlineConfig, 'dialogOrigin' | 'hostOrigins'>,
): boolean {
  if (ancestors === undefined) return true
  const [parent, ...hosts] = ancestors
  return parent === dialogOrigin && hosts.every((origin) => originIsListed(origin, hostOrigins))
}

/**
 * Returns the page around the dialog. A browser without `ancestorOrigins` names none; our `frame-ancestors` then leaves
 * the origins of the app, unless the dialog stands at the top.
 */
export function hostPage(
  ancestors: readonly string[] | undefined,
  isDialogAtTop: boolean,
  { hostOrigins }: Pick<WalletInlineConfig, 'hostOrigins'>,
): HostPage {
  if (ancestors) return { origins: ancestors.slice(1, 2), isNamed: true }
  return { origins: isDialogAtTop ? [] : hostOrigins, isNamed: false }
}
