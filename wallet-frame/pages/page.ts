/**
 * Reads the page's configuration: inline from the server, and the dialog's URL parameters. Neither contains a
 * secret.
 */
import {
  isOriginListed,
  LatchkeyError,
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
    throw new LatchkeyError('invalid_data', `The page has no valid #${product.inlineConfigElementId}`, {
      cause,
    })
  }
}

/**
 * Returns whether the page may run under these windows: the dialog as its parent, and above it only origins
 * of the app.
 *
 * `frame-ancestors` enforces the same rule. This check is a second line of defence, in case a proxy strips
 * headers. A browser without `ancestorOrigins` has only the first one.
 */
export function mayRunUnder(
  ancestors: readonly string[] | undefined,
  { dialogOrigin, hostOrigins }: Pick<WalletInlineConfig, 'dialogOrigin' | 'hostOrigins'>,
): boolean {
  if (ancestors === undefined) return true
  const [parent, ...hosts] = ancestors
  return parent === dialogOrigin && hosts.every((origin) => isOriginListed(origin, hostOrigins))
}

/**
 * Returns the page around the dialog. A browser without `ancestorOrigins` does not name it; `frame-ancestors`
 * then leaves only the app's origins, unless the dialog is the top-level page.
 */
export function getHostPage(
  ancestors: readonly string[] | undefined,
  isDialogAtTop: boolean,
  { hostOrigins }: Pick<WalletInlineConfig, 'hostOrigins'>,
): HostPage {
  if (ancestors) return { origins: ancestors.slice(1, 2), isNamed: true }
  return { origins: isDialogAtTop ? [] : hostOrigins, isNamed: false }
}
