/** Waits for the phone of a login: what it signed, once it has approved. */
import { farcasterLimits } from '@latchkey/protocol'
import { channelTokenHeader, farcasterRoutes, type RouteOutput } from '@latchkey/protocol/api'
import type { FlowPorts } from '../../contract/ports.ts'
import { pollPhone } from '../../phone-app/phone-poll.ts'

type Status = RouteOutput<typeof farcasterRoutes.farcasterStatus>
type Completed = Extract<Status, { readonly state: 'completed' }>
/** What the login or the link is made with. */
export type Approval = { readonly channelToken: string } & Pick<Completed, 'message' | 'signature' | 'fid'>

/** Undefined for whoever is no longer waited for. */
export function approvalOf(
  { api, clock }: Pick<FlowPorts, 'api' | 'clock'>,
  channelToken: string,
  { signal, isPresent }: { readonly signal: AbortSignal; readonly isPresent: () => boolean },
): Promise<Approval | undefined> {
  const asker = { signal, onNetwork: () => {}, headers: { [channelTokenHeader]: channelToken } }
  return pollPhone({
    clock,
    ...farcasterLimits,
    signal,
    isPresent,
    async ask() {
      const status = await api.call(farcasterRoutes.farcasterStatus, undefined, asker)
      if (status.state !== 'completed') return undefined
      const { message, signature, fid } = status
      return { channelToken, message, signature, fid }
    },
  })
}
