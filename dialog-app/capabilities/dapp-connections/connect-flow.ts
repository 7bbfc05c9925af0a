/** From the link of a dapp to a connection that its user has seen and agreed to. */
import { chainOf } from '@latchkey/protocol/chains'
import { rejectedError } from '../../approval/rejection.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import type { ConnectState } from './connect-screen.tsx'
import type { Connections, Offer } from './connections.ts'
import { readLink } from './dapp-link.ts'
import type { ProposalState } from './proposal-screen.tsx'
import { connectScreen, proposalScreen } from './screens.ts'

type Ports = Pick<CapabilityPorts, 'clock' | 'settings'>

export const connectFlow =
  ({ clock, settings }: Ports, { propose }: Pick<Connections, 'propose'>): Flow<string | undefined> =>
  (handle) => {
    const { signal } = handle
    /** Whose dapp waits for an answer. */
    let open: Offer | undefined
    let isPairing = false

    function showLink(state: ConnectState) {
      const view = screen(connectScreen, state, {
        connect: (link) => void pair(link),
        leave: () => handle.end(done(undefined)),
      })
      if (handle.isAt(connectScreen)) handle.update(view)
      else handle.replace(view)
    }
    const showProposal = (state: ProposalState) => {
      const view = screen(proposalScreen, state, {
        connect: () => void accept(),
        leave: () => {
          refuse()
          handle.end(done(undefined))
        },
        again: () => {
          refuse()
          showLink({ status: 'asked', problem: undefined })
        },
      })
      if (handle.isAt(proposalScreen)) handle.update(view)
      else handle.replace(view)
    }

    async function pair(pasted: string) {
      if (isPairing) return
      const link = readLink(pasted, clock.nowMs())
      if (link.is === 'problem') return showLink({ status: 'asked', problem: link.problem })
      isPairing = true
      showLink({ status: 'pairing' })
      const proposed = await propose(link, signal).finally(() => {
        isPairing = false
      })
      if (signal.aborted) {
        if (proposed.is === 'offer') proposed.offer.refuse()
        return
      }
      switch (proposed.is) {
        case 'problem':
          return showLink({ status: 'asked', problem: proposed.problem })
        case 'impossible': {
          const { requester, lack, names } = proposed
          return showProposal({ status: 'impossible', ...requester, lack, names })
        }
        case 'offer':
          return offered(proposed.offer)
        default:
          return proposed satisfies never
      }
    }

    function shown({ requester, address, chainIds }: Offer) {
      const { app } = settings()
      return { ...requester, address, networks: chainIds.map((id) => chainOf(app, id).name ?? String(id)) }
    }

    function offered(offer: Offer) {
      open = offer
      showProposal({ status: 'asked', ...shown(offer) })
      handle.after(offer.expiresAtMs - clock.nowMs(), () => {
        if (open !== offer) return
        open = undefined
        showProposal({ status: 'expired', ...offer.requester })
      })
    }

    function refuse() {
      open?.refuse()
      open = undefined
    }

    async function accept() {
      const offer = open
      if (!offer) return
      open = undefined
      showProposal({ status: 'connecting', ...shown(offer) })
      try {
        const { name } = await offer.accept()
        handle.end(done(name))
      } catch {
        if (!signal.aborted) showProposal({ status: 'failed', ...offer.requester })
      }
    }

    return {
      kind: 'dapp_connection',
      run: () => showLink({ status: 'asked', problem: undefined }),
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
