/** Balance changes of a simulated transaction, for the confirmation page. */
import type { OpenConfirmation } from '@latchkey/protocol/api'
import { formatExact } from '@latchkey/protocol/reading'

export type Simulation = NonNullable<OpenConfirmation['simulation']>

/** `token` is null for the native coin, and `id` for anything but an NFT. */
export type BalanceChange = { token: string | null; id: string | null; amount: bigint }

/** Formats a change. The amount of an asset that is in no list stays in its smallest unit. */
export function toChange(
  { token, id, amount }: BalanceChange,
  asset: { symbol: string | null; decimals: number } | undefined,
): Simulation['changes'][number] {
  const sign = amount < 0n ? '-' : '+'
  const size = amount < 0n ? -amount : amount
  const isListed = id === null && asset !== undefined && asset.symbol !== null
  return {
    token,
    symbol: asset?.symbol ?? null,
    amount: `${sign}${isListed ? formatExact(size, asset.decimals) : size}`,
    isSmallestUnit: id === null && !isListed,
    id,
  }
}
