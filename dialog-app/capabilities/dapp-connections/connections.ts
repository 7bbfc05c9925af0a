/**
 * The dapps that a user connected with a link in this browser: their relay sessions and requests. Only one tab holds the
 * relay connection, the one that the user used last.
 */
import { findEmbeddedWallet, LatchkeyError, product } from '@latchkey/protocol'
import type { RelayedRequester } from '@latchkey/protocol/wallet'
import { orAborted, withDeadline } from '../../browser/waiting.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { ConnectedDapp } from '../../contract/dapps.ts'
import { usableChains } from '../../host/chains.ts'
import { allowsDappConnections, appName, iconAddress } from '../../host/settings.ts'
import type { HoldTab } from './browser.ts'
import type { DappClient, DappClientSettings, DappEvents, OpenDappClient } from './dapp-client.ts'
import type { Kept, OpenKept } from './kept.ts'
import { dappLimits as limits } from './limits.ts'
import { createPairing, type PairingProblem } from './proposal/pairing.ts'
import { granted, type Judged, judgeProposal } from './proposal/proposal.ts'
import { requesterOf } from './proposal/requester.ts'
import { refusals } from './refusals.ts'
import type { RememberedUser } from './remembered-user.ts'
import { createRequests, type Requests } from './requests.ts'

export type ConnectionPorts = Pick<CapabilityPorts, 'callByName' | 'clock' | 'session' | 'settings'> & {
  dialogOrigin: string
  remembered: RememberedUser
  openKept: OpenKept
  openClient: (kept: Kept) => OpenDappClient
  hold: HoldTab
}

/** A connection offer from a dapp. */
export type Offer = {
  requester: RelayedRequester
  address: string
  chainIds: readonly number[]
  /** The time when the dapp stops waiting. */
  expiresAtMs: number
  accept: () => Promise<ConnectedDapp>
  refuse: () => void
}
/** An offer that the user decides on, or the reason why the dapp cannot be connected. */
export type Proposal =
  | { is: 'offer'; offer: Offer }
  | (Extract<Judged, { is: 'impossible' }> & { requester: RelayedRequester })
export type Proposed = Proposal | { is: 'problem'; problem: PairingProblem }

export type Connections = {
  list: () => Promise<readonly ConnectedDapp[]>
  end: (id: string) => Promise<void>
  propose: (link: { uri: string; topic: string }, signal: AbortSignal) => Promise<Proposed>
  onChange: (listener: () => void) => () => void
  /** Receives dapp requests in this tab, unless another tab already does. */
  resume: () => void
  /** Disconnects the user's dapps after a logout, and deletes their data in this browser. */
  forget: (userId: string) => Promise<void>
}

/** The relay connection that this tab holds for a user. */
type Held = {
  userId: string
  client: DappClient
  kept: Kept
  requests: Requests
  dapps: readonly ConnectedDapp[]
  release: () => void
}

export function createConnections(ports: ConnectionPorts): Connections {
  const { clock, session, settings, remembered } = ports
  const listeners = new Set<() => void>()
  let active: Held | undefined
  let taking: Promise<Held> | undefined
  /** The id of the user for which this tab waits for the lock. */
  let waitsFor: string | undefined
  const pairing = createPairing(clock)

  function presentUser() {
    const state = session.state()
    return state.status === 'authenticated' ? state.user : undefined
  }
  function requirePresentUser() {
    const user = presentUser()
    if (user) return user
    throw new LatchkeyError('must_be_authenticated', 'Nobody is logged in')
  }
  const openStored = (userId: string) => ports.openKept({ appId: settings().app.id, userId })
  const changed = () => {
    for (const listener of listeners) listener()
  }

  async function write(of: Held, dapps: readonly ConnectedDapp[]) {
    of.dapps = dapps
    if (dapps.length > 0) remembered.write(of.userId)
    else if (remembered.read() === of.userId) remembered.remove()
    await of.kept.writeList(dapps)
    changed()
  }

  async function open(userId: string, release: () => void): Promise<Held> {
    const userData = openStored(userId)
    const dapps = await userData.list()
    let connection: Held | undefined
    const events: DappEvents = {
      proposed(proposal) {
        if (!pairing.took(proposal))
          connection?.client.reject(proposal.id, refusals.rejectedProposal).catch(() => {})
      },
      proposalExpired: () => {},
      asked: (request) => connection?.requests.ask(request),
      ended: (topic) => connection && void forgetOne(connection, topic).catch(() => {}),
      refused: pairing.refused,
    }
    const client = await ports.openClient(userData)(clientSettings(userId), events)
    const requests = createRequests(ports, {
      client,
      requester(topic) {
        const dapp = connection?.dapps.find(({ id }) => id === topic)
        return dapp && { name: dapp.name, url: dapp.url }
      },
      used: (topic) => connection && void markUsed(connection, topic).catch(() => {}),
    })
    connection = { userId, client, kept: userData, requests, dapps, release }
    const alive = client.sessions()
    // A tab that closes while a dapp connects leaves a session without a list entry.
    const unlisted = alive.filter(({ topic }) => !dapps.some(({ id }) => id === topic))
    for (const { topic } of unlisted) client.end(topic).catch(() => {})
    // Removes dapps without a session. A session may end while no tab is connected.
    const left = dapps.filter(({ id }) => alive.some(({ topic }) => topic === id))
    if (left.length < dapps.length) await write(connection, left)
    return connection
  }

  function clientSettings(userId: string): DappClientSettings {
    const { app, addresses } = settings()
    const { walletConnect: relayUrl } = addresses
    const { walletConnectCloudProjectId: projectId } = app
    if (!allowsDappConnections(settings()) || relayUrl === undefined || projectId === null) {
      throw new LatchkeyError('not_supported', 'This app connects no dapps by a link')
    }
    return {
      name: `dapps-${app.id}-${userId}`,
      projectId,
      relayUrl,
      wallet: { name: appName(settings()), url: ports.dialogOrigin, icon: iconAddress(settings()) },
    }
  }

  const nameOfLock = (userId: string) => product.storageName(settings().app.id, `dapps-${userId}`)

  /** Opens the relay connection in this tab. `takes`: steals the lock from another tab. */
  function hold(userId: string, takes: boolean): Promise<Held> {
    const came = Promise.withResolvers<Held>()
    const over = Promise.withResolvers<void>()
    let mine: Held | undefined
    const run = async (taken: AbortSignal) => {
      if (active || presentUser()?.id !== userId) return came.reject(elsewhere())
      taken.addEventListener('abort', () => over.resolve(), { once: true })
      mine = await open(userId, over.resolve)
      if (taken.aborted) return letGo(mine)
      active = mine
      came.resolve(mine)
      await over.promise
      letGo(mine)
    }
    ports.hold(nameOfLock(userId), takes, run).then(
      () => came.reject(elsewhere()),
      (error: unknown) => {
        over.resolve()
        came.reject(error)
      },
    )
    return came.promise
  }

  function letGo(of: Held) {
    if (active === of) active = undefined
    of.requests.dropAll()
    of.client.close()
    resume()
  }

  /** Moves the relay connection of the user to this tab. */
  async function moveHere(): Promise<Held> {
    const { id } = requirePresentUser()
    if (active?.userId === id) return active
    active?.release()
    taking ??= hold(id, true).finally(() => {
      taking = undefined
    })
    return withDeadline(clock, limits.relayMs, taking, unreachable)
  }

  function resume() {
    const user = presentUser()
    if (!user || active || waitsFor === user.id) return
    if (remembered.read() !== user.id || !allowsDappConnections(settings())) return
    waitsFor = user.id
    hold(user.id, false)
      .catch(() => {
        // Retries an unreachable relay.
        clock.after(limits.resumeMs, resume)
      })
      .finally(() => {
        waitsFor = undefined
      })
  }

  async function forgetOne(of: Held, topic: string) {
    of.requests.dropOf(topic)
    await write(
      of,
      of.dapps.filter(({ id }) => id !== topic),
    )
  }
  async function markUsed(of: Held, topic: string) {
    const lastUsedMs = clock.nowMs()
    await write(
      of,
      of.dapps.map((dapp) => (dapp.id === topic ? { ...dapp, lastUsedMs } : dapp)),
    )
  }

  async function propose(
    { uri, topic }: { uri: string; topic: string },
    signal: AbortSignal,
  ): Promise<Proposed> {
    const user = requirePresentUser()
    const wallet = findEmbeddedWallet(user)
    if (!wallet) throw new LatchkeyError('embedded_wallet_not_found', 'The user has no wallet to connect')
    const of = await orAborted(moveHere(), signal).catch(() => undefined)
    if (!of) return { is: 'problem', problem: 'unreachable' }
    const { client } = of
    const proposal = await pairing.pair(client, { uri, topic }, signal)
    if (typeof proposal === 'string') {
      client.unpair(topic).catch(() => {})
      return { is: 'problem', problem: proposal }
    }
    const reject = (why: Parameters<DappClient['reject']>[1]) => {
      client
        .reject(proposal.id, why)
        .finally(() => client.unpair(topic))
        .catch(() => {})
    }
    const { ownOrigins, hostOrigin, app } = settings()
    const ours = [...ownOrigins, ...app.allowedDomains, ...(hostOrigin === null ? [] : [hostOrigin])]
    const requester = requesterOf(proposal.metadata, ours)
    if (!requester) {
      reject(refusals.rejectedProposal)
      return { is: 'problem', problem: 'no-address' }
    }
    const judged = judgeProposal(proposal, usableChains(settings()))
    if (judged.is === 'impossible') {
      reject(judged.refusal)
      return { ...judged, requester }
    }
    const { chainIds } = judged
    return {
      is: 'offer',
      offer: {
        requester,
        address: wallet.address,
        chainIds,
        expiresAtMs: proposal.expiresAtMs,
        async accept() {
          // From here on, a logout has data to delete.
          remembered.write(of.userId)
          const approved = client.approve(proposal.id, granted(chainIds, wallet.address))
          const { topic: id } = await withDeadline(clock, limits.settleMs, approved, unreachable).catch(
            (error: unknown) => {
              if (of.dapps.length === 0) remembered.remove()
              // Ends a session that the dapp acknowledges too late, because it has no list entry.
              approved.then(({ topic: late }) => client.end(late)).catch(() => {})
              throw error
            },
          )
          const dapp = { id, ...requester, sinceMs: clock.nowMs(), lastUsedMs: undefined }
          await write(of, [...of.dapps, dapp])
          return dapp
        },
        refuse: () => reject(refusals.rejectedProposal),
      },
    }
  }

  return {
    resume,
    propose,
    async list() {
      const user = presentUser()
      if (!user || remembered.read() !== user.id) return []
      return active?.userId === user.id ? active.dapps : openStored(user.id).list()
    },
    async end(id) {
      const of = await moveHere()
      await withDeadline(clock, limits.goodbyeMs, of.client.end(id), unreachable).catch(() => {})
      await forgetOne(of, id)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async forget(userId) {
      if (remembered.read() === userId) remembered.remove()
      let userData = openStored(userId)
      if (active?.userId === userId) {
        const { client, release } = active
        userData = active.kept
        const ending = Promise.allSettled(client.sessions().map(({ topic }) => client.end(topic)))
        await withDeadline(clock, limits.goodbyeMs, ending, unreachable).catch(() => {})
        release()
      }
      await userData.forget()
      changed()
    },
  }
}

const unreachable = () => new LatchkeyError('server_unreachable', 'The relay did not answer in time')
const elsewhere = () => new LatchkeyError('call_cancelled', 'Another tab hears the dapps of this user')
