/**
 * Connects a wallet on another device, or in another app on this device, through a relay with end-to-end encryption.
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
  /** The host's chains, with the preferred one first. Wallets may support others. */
  chainIds: readonly number[]
}

type Ports = { clock: Clock; openLink: OpenLink }

/** The joined link with its current chain. */
type Joined = { link: Link; chainId: number }

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** WalletConnect limits. Kept in this file, and not with the other limits, to load on demand. */
const limits = {
  /** Timeout for the relay to open a pairing. */
  relayMs: 10 * SECOND,
  /** Lifetime of a pairing URI. */
  joinMs: 5 * MINUTE,
  /** Timeout for the user to approve a request in the wallet. */
  answerMs: 5 * MINUTE,
  answerSeconds: 5 * 60,
  /** Timeout for notifying the wallet of a disconnect. */
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

  /** Awaits a result with a deadline and an abort signal. All failures reject with a `LatchkeyError`. */
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
      await disconnectLink(link)
      throw error
    }
  }

  function accept(link: Link, session: RelaySession, wanted?: string): ConnectedWallet {
    const account = toAccount(session, settings.chainIds, wanted)
    if (!account) throw failure('The wallet brought no account')
    joined = { link, chainId: account.chainId }
    return connectedAs(account, session)
  }

  /** Notifies the wallet within a short timeout, then closes the link. */
  async function disconnectLink(link: Link): Promise<void> {
    await withDeadline(clock, limits.goodbyeMs, link.end(), tooLate).catch(() => {})
    link.close()
  }

  async function leaveLast(): Promise<void> {
    const last = joined
    joined = undefined
    if (last) await disconnectLink(last.link)
  }

  async function request(
    method: string,
    params: readonly unknown[],
    { signal }: WalletAsker,
  ): Promise<unknown> {
    const now = present()
    if (!now) throw failure('The wallet has ended the connection')
    // The wallet may have switched to a chain outside its session.
    const { chainId } = toAccount(now.session, [now.chainId]) ?? now
    const call = { chainId, method, params, deadlineSeconds: limits.answerSeconds }
    return inTime(now.link.request(call), limits.answerMs, signal, tooLate)
  }

  return {
    connectorType: 'wallet_connect',

    async connect(asker) {
      const now = present()
      const account = now && toAccount(now.session, [now.chainId], asker.wanted)
      // Reuses the session of a wallet that joined but rejected the signature.
      if (now && account) return connectedAs({ ...account, chainId: now.chainId }, now.session)
      await leaveLast()
      return join(asker)
    },

    async sign(message, address, asker) {
      const parsed = v.safeParse(
        signature,
        await request('personal_sign', [textToHex(message), address], asker),
      )
      if (parsed.success) return parsed.output
      throw failure('The wallet answered with what is no signature')
    },

    async pay(payment, asker) {
      const answer = await request('eth_sendTransaction', paymentParams(payment), asker)
      const parsed = v.safeParse(hash, answer)
      if (parsed.success) return parsed.output
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

/** Prefers the wanted account, and then the first of these chains on which an account exists. Otherwise returns any. */
function toAccount(
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

/** Allows only `https:` links, because others such as `javascript:` may run scripts. */
const isHttps = (link: string) => URL.parse(link)?.protocol === 'https:'

const notThere = () => failure('The relay did not answer in time')
