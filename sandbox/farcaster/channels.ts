/**
 * Channels of the Farcaster relay between a page and a phone. A channel lives for an hour, or until its
 * completion was read.
 * https://github.com/farcasterxyz/auth-monorepo/tree/main/apps/relay
 */
import { randomUUID } from 'node:crypto'

const lifeMs = 3_600_000

export type ChannelRequest = {
  siweUri: string
  domain: string
  nonce: string
  acceptAuthAddress: boolean
}
export type Approval = {
  message: string
  signature: string
  fid: number
  username?: string
  displayName?: string
  bio?: string
  pfpUrl?: string
}
export type Channel = { page: ChannelRequest; approval: Approval | undefined }

export type Channels = {
  open: (page: ChannelRequest) => string
  findChannel: (token: string) => Channel | undefined
  /** Returns false if there is no such channel. */
  complete: (token: string, approval: Approval) => boolean
  close: (token: string) => void
  /** Returns the token of the latest channel, and how many channels were opened and polled. */
  counts: () => { last: string | null; opened: number; polled: number }
  countPoll: () => void
}

export function createChannels(clock: { now: () => number }): Channels {
  const channels = new Map<string, Channel & { endsAt: number }>()
  const counters = { last: null as string | null, opened: 0, polled: 0 }

  const find = (token: string) => {
    const channel = channels.get(token)
    return channel && clock.now() < channel.endsAt ? channel : undefined
  }

  return {
    open(page) {
      const token = randomUUID()
      channels.set(token, { page, approval: undefined, endsAt: clock.now() + lifeMs })
      counters.opened += 1
      counters.last = token
      return token
    },
    findChannel: find,
    complete(token, approval) {
      const channel = find(token)
      if (channel === undefined) return false
      channels.set(token, { ...channel, approval })
      return true
    },
    close: (token) => void channels.delete(token),
    counts: () => ({ ...counters }),
    countPoll() {
      counters.polled += 1
    },
  }
}
