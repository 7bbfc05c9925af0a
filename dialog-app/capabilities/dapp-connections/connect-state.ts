/**
 * How far a dapp is connected by its link, as a machine: the link leads to what the dapp wants, and its user agrees to
 * that or not. An offer is answered once: accepted, refused, or left to expire.
 */
import type { RelayedRequester } from '@latchkey/protocol/wallet'
import { done, type Ending } from '../../flow/flow.ts'
import { type Next, stepBy, type Table } from '../../flow/machine.ts'
import type { Offer, Proposed } from './connections.ts'
import type { ReadLink } from './proposal/dapp-link.ts'
import type { ConnectState as ShownLink } from './screens/connect-screen.tsx'

type Link = Extract<ReadLink, { is: 'link' }>
type Impossible = Extract<Proposed, { is: 'impossible' }>

export type ConnectPhase =
  | { at: 'link'; problem: Extract<ShownLink, { status: 'asked' }>['problem'] }
  | { at: 'pairing' }
  | { at: 'offered'; offer: Offer }
  | { at: 'connecting'; offer: Offer }
  /** The dapp demands what this wallet has not. */
  | { at: 'impossible'; proposed: Impossible }
  | { at: 'expired' | 'failed'; requester: RelayedRequester }
export type ConnectState = { phase: ConnectPhase }

export type ConnectEvent =
  | { type: 'begin' }
  | { type: 'pasted'; link: ReadLink }
  | { type: 'proposed'; proposed: Proposed }
  | { type: 'expired'; offer: Offer }
  | { type: 'accept' }
  | { type: 'accepted'; name: string }
  | { type: 'not accepted' }
  /** The user tries another link. */
  | { type: 'again' }
  | { type: 'leave' }

export type ConnectEffect =
  | { type: 'pair'; link: Link }
  | { type: 'watch expiry'; offer: Offer }
  | { type: 'accept'; offer: Offer }
  | { type: 'refuse'; offer: Offer }
  | { type: 'end'; ending: Ending<string | undefined> }

type Step = Next<ConnectState, ConnectEffect>

const askForLink = (problem: Extract<ConnectPhase, { at: 'link' }>['problem']): ConnectState => ({
  phase: { at: 'link', problem },
})
export const unlinked = askForLink(undefined)

function pasted(_: ConnectState, { link }: { link: ReadLink }): Step {
  return link.is === 'problem'
    ? [askForLink(link.problem)]
    : [{ phase: { at: 'pairing' } }, { type: 'pair', link }]
}

function proposed(_: ConnectState, event: { proposed: Proposed }): Step {
  const { proposed: what } = event
  switch (what.is) {
    case 'problem':
      return [askForLink(what.problem)]
    case 'impossible':
      return [{ phase: { at: 'impossible', proposed: what } }]
    case 'offer': {
      const { offer } = what
      return [{ phase: { at: 'offered', offer } }, { type: 'watch expiry', offer }]
    }
    default:
      return what satisfies never
  }
}

const leave = (state: ConnectState): Step => [state, { type: 'end', ending: done(undefined) }]
const over = { again: (): Step => [unlinked], leave }

const table: Table<ConnectState, ConnectEvent, ConnectEffect> = {
  link: { begin: () => [askForLink(undefined)], pasted, leave },
  pairing: { proposed, leave },
  offered: {
    accept: (_state, _event, { offer }) => [
      { phase: { at: 'connecting', offer } },
      { type: 'accept', offer },
    ],
    expired: (state, { offer }, phase) => [
      phase.offer === offer ? { phase: { at: 'expired', requester: offer.requester } } : state,
    ],
    again: (_state, _event, { offer }) => [unlinked, { type: 'refuse', offer }],
    leave: (state, _, { offer }) => [
      state,
      { type: 'refuse', offer },
      { type: 'end', ending: done(undefined) },
    ],
  },
  connecting: {
    accepted: (state, { name }) => [state, { type: 'end', ending: done(name) }],
    'not accepted': (_state, _event, { offer }) => [{ phase: { at: 'failed', requester: offer.requester } }],
  },
  impossible: over,
  expired: over,
  failed: over,
}

export const connectStep = stepBy(table)

/** The offer that is refused where the card is closed now. */
export const openOffer = ({ phase }: ConnectState): Offer | undefined =>
  phase.at === 'offered' ? phase.offer : undefined
