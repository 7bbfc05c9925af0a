import type { Reader, Trx } from '../../kernel/ports.ts'
import { type FarcasterTables, farcasterTables } from './tables.ts'

export type Channel = FarcasterTables['farcaster_channels']
/** Only the browser that opened the channel has its key. */
export type ChannelKey = { readonly appId: string; readonly channel: string; readonly binding: string }

/** Adds a row and never changes one: the relay opens another channel for each request. */
export async function putChannel(trx: Trx, channel: Channel): Promise<void> {
  await farcasterTables(trx).insertInto('farcaster_channels').values(channel).execute()
}

export const findChannel = (
  reader: Reader,
  { appId, channel, binding }: ChannelKey,
  nowSeconds: number,
): Promise<Channel | undefined> =>
  farcasterTables(reader)
    .selectFrom('farcaster_channels')
    .selectAll()
    .where('app_id', '=', appId)
    .where('channel', '=', channel)
    .where('binding', '=', binding)
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirst()

export async function keepApproval(
  reader: Reader,
  { appId, channel }: ChannelKey,
  approval: string,
): Promise<void> {
  await farcasterTables(reader)
    .updateTable('farcaster_channels')
    .set({ approval })
    .where('app_id', '=', appId)
    .where('channel', '=', channel)
    .execute()
}

/** True for the one that uses it. */
export async function useUpChannel(trx: Trx, { appId, channel, binding }: ChannelKey): Promise<boolean> {
  const used = await farcasterTables(trx)
    .deleteFrom('farcaster_channels')
    .where('app_id', '=', appId)
    .where('channel', '=', channel)
    .where('binding', '=', binding)
    .returning('channel')
    .executeTakeFirst()
  return used !== undefined
}
