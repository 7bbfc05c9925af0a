/**
 * Under which windows this page may run: the dialog right above it, and above that only origins of the app.
 *
 * The browser holds the same rule by our `frame-ancestors`. This is the second lock, in case a proxy strips
 * headers. A browser without `ancestorOrigins` has the first one alone.
 */
import { originIsListed, type WalletInlineConfig } from '@latchkey/protocol'

export function mayRunUnder(
  ancestors: readonly string[] | undefined,
  { dialogOrigin, hostOrigins }: Pick<WalletInlineConfig, 'dialogOrigin' | 'hostOrigins'>,
): boolean {
  if (ancestors === undefined) return true
  const [parent, ...hosts] = ancestors
  return parent === dialogOrigin && hosts.every((origin) => originIsListed(origin, hostOrigins))
}
