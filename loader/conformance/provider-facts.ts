/**
 * Facts about a provider (EIP-1193) and its announcement (EIP-6963) that libraries rely on.
 * https://eips.ethereum.org/EIPS/eip-1193, https://eips.ethereum.org/EIPS/eip-6963
 */
import { becomes, type Fact, fact, getFailure, holds, isSame, listCauses, type WalletUser } from './facts.ts'

export type TestedProvider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on(name: string, listener: (event: never) => void): unknown
  removeListener(name: string, listener: (event: never) => void): unknown
}

export type ProviderFixture = {
  /** Returns the provider of a page without a logged-in user. */
  provider(): Promise<TestedProvider>
  user: WalletUser
  /** A chain that the wallet can switch to, and one that it cannot. */
  chains: { other: number; unknown: number }
}

const isAddress = (value: unknown) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
const isQuantity = (value: unknown) => typeof value === 'string' && /^0x(?:0|[1-9a-f][0-9a-f]*)$/.test(value)
const toHex = (chainId: number) => `0x${chainId.toString(16)}`
const stranger = '0x000000000000000000000000000000000000dEaD'
const signature = /^0x[0-9a-f]{130}$/i

export function providerFacts({ provider, user, chains }: ProviderFixture): readonly Fact[] {
  async function connected() {
    const ethereum = await provider()
    const accounts = (await user.approve(ethereum.request({ method: 'eth_requestAccounts' }))) as string[]
    return { provider: ethereum, account: accounts[0] ?? '' }
  }
  return [
    fact('eth_accounts returns an empty list before the first connection, without a prompt', async () => {
      const promptsBefore = await user.timesAsked()
      isSame(await (await provider()).request({ method: 'eth_accounts' }), [], 'eth_accounts')
      isSame(await user.timesAsked(), promptsBefore, 'the number of prompts')
    }),
    fact('eth_requestAccounts returns the accounts that eth_accounts returns from then on', async () => {
      const { provider, account } = await connected()
      holds(isAddress(account), 'an account is an address', account)
      const [again] = (await provider.request({ method: 'eth_accounts' })) as string[]
      isSame(again, account, 'the account of eth_accounts')
    }),
    fact('concurrent eth_requestAccounts calls return the same accounts', async () => {
      const ethereum = await provider()
      const request = () => ethereum.request({ method: 'eth_requestAccounts' })
      const [one, other] = await user.approve(Promise.all([request(), request()]))
      isSame(one, other, 'the second result')
    }),
    fact('eth_requestAccounts rejects with 4001 if the user closes it', async () => {
      const ethereum = await provider()
      const { code } = await getFailure(
        user.refuse(ethereum.request({ method: 'eth_requestAccounts' })),
        'eth_requestAccounts',
      )
      isSame(code, 4001, 'the code')
    }),
    fact('eth_chainId returns a hex quantity', async () => {
      const chainId = await (await provider()).request({ method: 'eth_chainId' })
      holds(isQuantity(chainId), 'eth_chainId is a hex quantity', chainId)
    }),
    fact(
      'personal_sign returns a signature after approval, and rejects with 4001 after a refusal',
      async () => {
        const { provider, account } = await connected()
        const sign = () =>
          provider.request({ method: 'personal_sign', params: ['0x54776f206865726f6e73', account] })
        const signed = await user.approve(sign())
        holds(signature.test(String(signed)), 'a signature has 65 bytes', signed)
        isSame((await getFailure(user.refuse(sign()), 'personal_sign')).code, 4001, 'the code')
      },
    ),
    fact('personal_sign rejects an account that is not connected with 4100, without a prompt', async () => {
      const { provider } = await connected()
      const promptsBefore = await user.timesAsked()
      const signing = provider.request({ method: 'personal_sign', params: ['0x6869', stranger] })
      isSame((await getFailure(signing, 'personal_sign')).code, 4100, 'the code')
      isSame(await user.timesAsked(), promptsBefore, 'the number of prompts')
    }),
    fact('an unknown method rejects with -32601 and the message that libraries match', async () => {
      const { code, message } = await getFailure(
        (await provider()).request({ method: 'wallet_noSuchMethod' }),
        'an unknown method',
      )
      isSame(code, -32_601, 'the code')
      holds(
        /method "?wallet_noSuchMethod"? (?:does not exist|is not)/.test(message),
        'it names the method',
        message,
      )
    }),
    fact('an invalid request rejects with a numeric code and never throws', async () => {
      const ethereum = await provider()
      for (const args of [undefined, {}, { method: 7 }, { method: '' }, 'eth_accounts']) {
        const failure = await getFailure(ethereum.request(args as never), 'an invalid request')
        holds(failure instanceof Error, 'it is an error', failure)
        holds(Number.isInteger(failure.code), 'its code is a number', failure)
      }
    }),
    fact('invalid params reject with -32602', async () => {
      const { provider } = await connected()
      const reading = provider.request({ method: 'eth_getBalance', params: ['nobody'] })
      isSame((await getFailure(reading, 'eth_getBalance')).code, -32_602, 'the code')
    }),
    fact('request does not modify its arguments', async () => {
      const ethereum = await provider()
      const args = Object.freeze({ method: 'eth_accounts', params: Object.freeze([]) })
      await ethereum.request(args)
      isSame(args, { method: 'eth_accounts', params: [] }, 'the request')
    }),
    fact('wallet_switchEthereumChain emits chainChanged once in hex, and changes eth_chainId', async () => {
      const { provider } = await connected()
      const emitted: unknown[] = []
      provider.on('chainChanged', (chainId) => emitted.push(chainId))
      const params = [{ chainId: toHex(chains.other) }]
      isSame(
        await user.approve(provider.request({ method: 'wallet_switchEthereumChain', params })),
        null,
        'the result',
      )
      isSame(await provider.request({ method: 'eth_chainId' }), toHex(chains.other), 'eth_chainId')
      await becomes(() => emitted, [toHex(chains.other)], 'the emitted chains')
    }),
    fact('wallet_switchEthereumChain rejects an unknown chain, but not with 4001', async () => {
      const { provider } = await connected()
      const previousChainId = await provider.request({ method: 'eth_chainId' })
      const params = [{ chainId: toHex(chains.unknown) }]
      const failure = await getFailure(
        provider.request({ method: 'wallet_switchEthereumChain', params }),
        'an unknown chain',
      )
      const codes = listCauses(failure).map(({ code }) => code)
      holds(!codes.includes(4001), 'the code is not 4001', failure)
      isSame(await provider.request({ method: 'eth_chainId' }), previousChainId, 'eth_chainId')
    }),
    fact('a logout emits empty accounts, but not to removed listeners', async () => {
      const { provider } = await connected()
      const emitted: unknown[] = []
      const emittedToRemoved: unknown[] = []
      const removed = (accounts: unknown) => void emittedToRemoved.push(accounts)
      provider.on('accountsChanged', (accounts) => emitted.push(accounts))
      provider.on('accountsChanged', removed)
      provider.removeListener('accountsChanged', removed)
      await user.logOut()
      await becomes(() => emitted.at(-1), [], 'the emitted accounts')
      isSame(await provider.request({ method: 'eth_accounts' }), [], 'eth_accounts')
      isSame(emittedToRemoved, [], 'the events of a removed listener')
    }),
  ]
}

type Announced = { info: Readonly<Record<string, unknown>>; provider: unknown }
export type AnnouncementFixture = {
  /** The rdns of the wallet. */
  rdns: string
}

/** Facts about the announcement in a page with a loaded wallet. */
export function announcementFacts({ rdns }: AnnouncementFixture): readonly Fact[] {
  const announcements = () => {
    const received: Announced[] = []
    const receive = (event: Event) => {
      const detail: Announced = Reflect.get(event, 'detail')
      if (detail.info.rdns === rdns) received.push(detail)
    }
    addEventListener('eip6963:announceProvider', receive)
    dispatchEvent(new Event('eip6963:requestProvider'))
    removeEventListener('eip6963:announceProvider', receive)
    return received
  }
  const announced = (): Announced => {
    const [first] = announcements()
    holds(first !== undefined, `${rdns} is announced when a page asks`, first)
    return first
  }
  return [
    fact('the wallet is announced once per request, with its rdns', async () => {
      isSame(announcements().length, 1, 'the number of announcements')
    }),
    fact('the announcement has a name, an icon as a data URL, and a version 4 UUID', async () => {
      const { uuid, name, icon } = announced().info
      holds(typeof name === 'string' && name.length > 0, 'it has a name', name)
      holds(
        /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/.test(String(icon)),
        'its icon is an image data URL',
        icon,
      )
      const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
      holds(version4.test(String(uuid)), 'its UUID is version 4', uuid)
    }),
    fact('the announcement is frozen', async () => {
      const detail = announced()
      holds(Object.isFrozen(detail) && Object.isFrozen(detail.info), 'it is frozen')
    }),
    fact('a repeated request gets the same announcement', async () => {
      const [one, other] = [announced(), announced()]
      isSame(other.info, one.info, 'the second announcement')
      holds(one.provider === other.provider, 'the provider is the same object')
    }),
  ]
}
