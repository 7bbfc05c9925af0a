/**
 * A wallet on another device, or in another app of this one: both join a relay that reads nothing of what they say.
 * https://specs.walletconnect.com/2.0/specs/clients/sign
 */
import type { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import { textToHex } from '../../../../browser/hex.ts'
import type { Clock } from '../../../../browser/ports.ts'
import { orAborted, withDeadline } from '../../../../browser/waiting.ts'
import {
  type ConnectAsker,
  type ConnectedWallet,
  type Connector,
  isSameAddress,
  paymentParams,
  type WalletAsker,
} from '../../sources/connector.ts'
import type { Link, LinkSettings, OpenLink, RelayAccount, RelaySession } from './link.ts'
import { failure, refusalOf, tooLate, unknownChain } from './refusal.ts'

export type WalletConnectSettings = LinkSettings & {
  /** The chains that the host is for, the one it prefers first. A wallet may come with others. */
  chainIds: readonly number[]
}

type Ports = { clock: Clock; openLink: OpenLink }

/** The chain is the one that its user went on with last. */
type Joined = { link: Link; chainId: number }

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** The limits of a wallet that is reached through a relay. They stand here, and not with all others, to load with its code. */
const limits = {
  /** The relay has so long to open a pairing that a phone can join. */
  relayMs: 10 * SECOND,
  /** How long a phone can join; then the link has expired. */
  joinMs: 5 * MINUTE,
  /** How long its user may read what is to be signed. */
  answerMs: 5 * MINUTE,
  answerSeconds: 5 * 60,
  /** Longer than this nobody waits to say goodbye. */
  goodbyeMs: 2 * SECOND,
} as const

const hash = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/))
const signature = v.pipe(v.string(), v.regex(/^0x([0-9a-fA-F]{2})+$/))

export function createWalletConnect(settings: WalletConnectSettings, { clock, openLink }: Ports): Connector {
  let joined: Joined | undefined

  const present = () => {
    const session = joined?.link.session()
    return joined && session ? { ...joined, session } : undefined
  }

  /** Whatever becomes of what is waited for, who asked hears of it in time and as a code. */
  const inTime = <T>(wait: Promise<T>, ms: number, signal: AbortSignal, late: () => LatchkeyError) =>
    withDeadline(clock, ms, orAborted(wait, signal), late).catch((error: unknown) => {
      throw refusalOf(error)
    })

  async function open({ signal }: WalletAsker): Promise<Link> {
    const opening = openLink(settings)
    try {
      return await inTime(opening, limits.relayMs, signal, notThere)
    } catch (error) {
      opening.then(({ close }) => close()).catch(() => {})
      throw error
    }
  }

  async function join({ onUri, signal, wanted }: ConnectAsker): Promise<ConnectedWallet> {
    const link = await open({ signal })
    const refused = new Promise<never>((_, reject) =>
      link.onRefused((why) => reject(failure(`The relay refused this app: ${why}`))),
    )
    const proposing = Promise.race([link.propose(settings.chainIds), refused])
    const { uri, approved } = await inTime(proposing, limits.relayMs, signal, notThere).catch(
      (error: unknown) => {
        link.close()
        throw error
      },
    )
    try {
      onUri(uri)
      const session = await inTime(Promise.race([approved, refused]), limits.joinMs, signal, tooLate)
      return accept(link, session, wanted)
    } catch (error) {
      await leave(link)
      throw error
    }
  }

  function accept(link: Link, session: RelaySession, wanted?: string): ConnectedWallet {
    const account = accountOf(session, settings.chainIds, wanted)
    if (!account) throw failure('The wallet brought no account')
    joined = { link, chainId: account.chainId }
    return connectedAs(account, session)
  }

  /** The wallet is told if it can be, and not waited for any longer than that. */
  async function leave(link: Link): Promise<void> {
    await withDeadline(clock, limits.goodbyeMs, link.end(), tooLate).catch(() => {})
    link.close()
  }

  async function leaveLast(): Promise<void> {
    const last = joined
    joined = undefined
    if (last) await leave(last.link)
  }

  async function request(
    method: string,
    params: readonly unknown[],
    { signal }: WalletAsker,
  ): Promise<unknown> {
    const now = present()
    if (!now) throw failure('The wallet has ended the connection')
    // It may have gone to a chain that it did not add to the session.
    const { chainId } = accountOf(now.session, [now.chainId]) ?? now
    const call = { chainId, method, params, deadlineSeconds: limits.answerSeconds }
    return inTime(now.link.request(call), limits.answerMs, signal, tooLate)
  }

  return {
    connectorType: 'wallet_connect',

    async connect(asker) {
      const now = present()
      const account = now && accountOf(now.session, [now.chainId], asker.wanted)
      // Somebody who has joined and then refused to sign does not join again.
      if (now && account) return connectedAs({ ...account, chainId: now.chainId }, now.session)
      await leaveLast()
      return join(asker)
    },

    async sign(message, address, asker) {
      const said = v.safeParse(
        signature,
        await request('personal_sign', [textToHex(message), address], asker),
      )
      if (said.success) return said.output
      throw failure('The wallet answered with what is no signature')
    },

    async pay(payment, asker) {
      const answer = await request('eth_sendTransaction', paymentParams(payment), asker)
      const said = v.safeParse(hash, answer)
      if (said.success) return said.output
      throw failure('The wallet answered with what is no hash')
    },

    switchChain,

    async request(method, params, asker) {
      if (method !== switching) return request(method, params, asker)
      const [{ chainId }] = v.parse(switched, params)
      await switchChain(Number(chainId), asker)
      return null
    },

    isPresent: () => present() !== undefined,

    disconnect: leaveLast,
  }

  async function switchChain(chainId: number, asker: WalletAsker): Promise<void> {
    const session = present()?.session
    const isThere = session?.accounts.some((account) => account.chainId === chainId)
    if (!isThere) {
      if (session && !session.methods.includes(switching)) throw unknownChain()
      await request(switching, [{ chainId: `0x${chainId.toString(16)}` }], asker)
    }
    joined &&= { ...joined, chainId }
  }
}

const switching = 'wallet_switchEthereumChain'
const switched = v.looseTuple([v.object({ chainId: v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{1,13}$/)) })])

/** The account is the one that is wanted, else any; on the first of these chains that it has, or else wherever it is. */
function accountOf(
  { accounts }: RelaySession,
  chainIds: readonly number[],
  wanted?: string,
): RelayAccount | undefined {
  const same = accounts.filter(({ address }) => wanted !== undefined && isSameAddress(address, wanted))
  const from = same.length > 0 ? same : accounts
  return chainIds.map((id) => from.find(({ chainId }) => chainId === id)).find((found) => found) ?? from[0]
}

const connectedAs = (
  { address, chainId }: RelayAccount,
  { walletName, appLink }: RelaySession,
): ConnectedWallet => ({
  address,
  chainId,
  ...(walletName !== '' && { peer: { name: walletName } }),
  ...(appLink !== undefined && isHttps(appLink) && { appLink }),
})

/** A link of another kind may run a script. */
const isHttps = (link: string) => URL.parse(link)?.protocol === 'https:'

const notThere = () => failure('The relay did not answer in time')
