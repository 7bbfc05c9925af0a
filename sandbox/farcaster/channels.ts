/**
 * Channels of a relay between a page that asks and a phone that signs, as the public relay of Farcaster keeps them: for
 * an hour, and until somebody heard that one is completed.
 * https://github.com/farcasterxyz/auth-monorepo/tree/main/apps/relay
 */
import { randomUUID } from 'node:crypto'

const lifeMs = 3_600_000

export type Page = {
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
export type Channel = { page: Page; approval: Approval | undefined }

export type Channels = {
  open: (page: Page) => string
  find: (token: string) => Channel | undefined
  /** Gives false if there is no such channel. */
  complete: (token: string, approval: Approval) => boolean
  close: (token: string) => void
  /** The token of the last one that was opened, and how often one was opened or asked about so far. */
  counts: () => { last: string | null; opened: number; polled: number }
  countPoll: () => void
}

export function createChannels(clock: { now: () => number }): Channels {
  const kept = new Map<string, Channel & { endsAt: number }>()
  const counted = { last: null as string | null, opened: 0, polled: 0 }

  const find = (token: string) => {
    const channel = kept.get(token)
    return channel && clock.now() < channel.endsAt ? channel : undefined
  }

  return {
    open(page) {
      const token = randomUUID()
      kept.set(token, { page, approval: undefined, endsAt: clock.now() + lifeMs })
      counted.opened += 1
      counted.last = token
      return token
    },
    find,
    complete(token, approval) {
      const channel = find(token)
      if (channel === undefined) return false
      kept.set(token, { ...channel, approval })
      return true
    },
    close: (token) => void kept.delete(token),
    counts: () => ({ ...counted }),
    countPoll() {
      counted.polled += 1
    },
  }
}
