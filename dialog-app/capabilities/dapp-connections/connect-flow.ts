/**
 * This flow leads from the link of a dapp to a connection that its user has seen and agreed to. `connect-state.ts`
 * decides what comes next; this does it.
 */
import { getChain } from '@latchkey/protocol/chains'
import { rejectedError } from '../../approval/rejection.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen } from '../../flow/screen.ts'
import type { Settings } from '../../host/settings.ts'
import {
  type ConnectEffect,
  type ConnectEvent,
  type ConnectPhase,
  type ConnectState,
  connectStep,
  openOffer,
  unlinked,
} from './connect-state.ts'
import type { Connections } from './connections.ts'
import { readLink } from './proposal/dapp-link.ts'
import type { ConnectState as ShownLink } from './screens/connect-screen.tsx'
import type { ProposalState } from './screens/proposal-screen.tsx'
import { connectScreen, proposalScreen } from './screens.ts'

type Ports = Pick<CapabilityPorts, 'clock' | 'settings'>

export const connectFlow =
  ({ clock, settings }: Ports, { propose }: Pick<Connections, 'propose'>): Flow<string | undefined> =>
  (handle) => {
    const { signal } = handle

    const machine = createMachine<ConnectState, ConnectEvent, ConnectEffect>({
      initial: unlinked,
      step: connectStep,
      draw: ({ phase }) => draw(phase),
      ...partOf(handle),
      effects: {
        async pair({ link }) {
          const proposed = await propose(link, signal)
          // An offer whose user has left meanwhile is refused, so that its dapp waits no longer.
          if (signal.aborted && proposed.is === 'offer') proposed.offer.refuse()
          return { type: 'proposed', proposed }
        },
        'watch expiry': ({ offer }) =>
          void handle.after(offer.expiresAtMs - clock.nowMs(), () =>
            machine.send({ type: 'expired', offer }),
          ),
        async accept({ offer }) {
          try {
            return { type: 'accepted', name: (await offer.accept()).name }
          } catch {
            return { type: 'not accepted' }
          }
        },
        refuse: ({ offer }) => offer.refuse(),
        end: ({ ending }) => handle.end(ending),
      },
    })

    function draw(phase: ConnectPhase) {
      const leave = () => machine.send({ type: 'leave' })
      const view =
        phase.at === 'link' || phase.at === 'pairing'
          ? screen(connectScreen, shownLink(phase), {
              connect: (pasted) => machine.send({ type: 'pasted', link: readLink(pasted, clock.nowMs()) }),
              leave,
            })
          : screen(proposalScreen, shownProposal(phase, settings()), {
              connect: () => machine.send({ type: 'accept' }),
              leave,
              again: () => machine.send({ type: 'again' }),
            })
      if (handle.isAt(view)) handle.update(view)
      else handle.replace(view)
    }

    const refuse = () => openOffer(machine.state())?.refuse()
    return {
      kind: 'dapp_connection',
      run: () => machine.send({ type: 'begin' }),
      onClose() {
        refuse()
        return failed(rejectedError())
      },
      onBack() {
        refuse()
        return done(undefined)
      },
    }
  }

type Linking = Extract<ConnectPhase, { at: 'link' | 'pairing' }>

const shownLink = (phase: Linking): ShownLink =>
  phase.at === 'link' ? { status: 'asked', problem: phase.problem } : { status: phase.at }

function shownProposal(phase: Exclude<ConnectPhase, Linking>, { app }: Settings): ProposalState {
  switch (phase.at) {
    case 'offered':
    case 'connecting': {
      const { requester, address, chainIds } = phase.offer
      const networks = chainIds.map((id) => getChain(app, id).name ?? String(id))
      return { status: phase.at === 'offered' ? 'asked' : phase.at, ...requester, address, networks }
    }
    case 'impossible': {
      const { requester, lack, names } = phase.proposed
      return { status: phase.at, ...requester, lack, names }
    }
    case 'expired':
    case 'failed':
      return { status: phase.at, ...phase.requester }
    default:
      return phase satisfies never
  }
}
