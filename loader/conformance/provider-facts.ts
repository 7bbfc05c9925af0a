/**
 * What libraries take for granted of a provider (EIP-1193), and of its announcement (EIP-6963).
 * https://eips.ethereum.org/EIPS/eip-1193, https://eips.ethereum.org/EIPS/eip-6963
 */
import { becomes, causesOf, type Fact, fact, failureOf, holds, isSame, type WalletUser } from './facts.ts'

export type TestedProvider = {
  request(asked: { method: string; params?: unknown }): Promise<unknown>
  on(name: string, listener: (event: never) => void): unknown
  removeListener(name: string, listener: (event: never) => void): unknown
}

export type ProviderFixture = {
  /** That of a page on which nobody is logged in yet. */
  provider(): Promise<TestedProvider>
  user: WalletUser
  /** A chain that the wallet may be moved to, and one that it can not. */
  chains: { other: number; unknown: number }
}

const isAddress = (value: unknown) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
const isQuantity = (value: unknown) => typeof value === 'string' && /^0x(?:0|[1-9a-f][0-9a-f]*)$/.test(value)
const hexOf = (chainId: number) => `0x${chainId.toString(16)}`
const stranger = '0x000000000000000000000000000000000000dEaD'
const signature = /^0x[0-9a-f]{130}$/i

export function providerFacts({ provider, user, chains }: ProviderFixture): readonly Fact[] {
  async function connected() {
    const opened = await provider()
    const accounts = (await user.approve(opened.request({ method: 'eth_requestAccounts' }))) as string[]
    return { provider: opened, account: accounts[0] ?? '' }
  }
  return [
    fact('eth_accounts is empty before anybody is connected, and opens nothing', async () => {
      const before = await user.timesAsked()
      isSame(await (await provider()).request({ method: 'eth_accounts' }), [], 'eth_accounts')
      isSame(await user.timesAsked(), before, 'how often somebody was asked')
    }),
    fact('eth_requestAccounts gives the accounts that eth_accounts has from then on', async () => {
      const { provider, account } = await connected()
      holds(isAddress(account), 'an account is an address', account)
      const [again] = (await provider.request({ method: 'eth_accounts' })) as string[]
      isSame(again, account, 'the account of eth_accounts')
    }),
    fact('asked for accounts twice at once, it answers both alike', async () => {
      const opened = await provider()
      const ask = () => opened.request({ method: 'eth_requestAccounts' })
      const [one, other] = await user.approve(Promise.all([ask(), ask()]))
      isSame(one, other, 'the second answer')
    }),
    fact('a user who closes what eth_requestAccounts opens has refused: 4001', async () => {
      const opened = await provider()
      const { code } = await failureOf(
        user.refuse(opened.request({ method: 'eth_requestAccounts' })),
        'eth_requestAccounts',
      )
      isSame(code, 4001, 'the code')
    }),
    fact('eth_chainId is a quantity in hex', async () => {
      const chainId = await (await provider()).request({ method: 'eth_chainId' })
      holds(isQuantity(chainId), 'eth_chainId is a quantity in hex', chainId)
    }),
    fact('personal_sign signs once its user agrees, and is 4001 when they do not', async () => {
      const { provider, account } = await connected()
      const ask = () =>
        provider.request({ method: 'personal_sign', params: ['0x54776f206865726f6e73', account] })
      const signed = await user.approve(ask())
      holds(signature.test(String(signed)), 'a signature has 65 bytes', signed)
      isSame((await failureOf(user.refuse(ask()), 'personal_sign')).code, 4001, 'the code')
    }),
    fact('nothing is signed for an account that is not connected, and nobody is asked', async () => {
      const { provider } = await connected()
      const before = await user.timesAsked()
      const asked = provider.request({ method: 'personal_sign', params: ['0x6869', stranger] })
      isSame((await failureOf(asked, 'personal_sign')).code, 4100, 'the code')
      isSame(await user.timesAsked(), before, 'how often somebody was asked')
    }),
    fact('a method that it does not have is -32601, in the words by which libraries know it', async () => {
      const { code, message } = await failureOf(
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
    fact('whatever can not be a request is refused with a code, and never thrown', async () => {
      const opened = await provider()
      for (const asked of [undefined, {}, { method: 7 }, { method: '' }, 'eth_accounts']) {
        const failure = await failureOf(opened.request(asked as never), 'what is no request')
        holds(failure instanceof Error, 'it is an error', failure)
        holds(Number.isInteger(failure.code), 'its code is a number', failure)
      }
    }),
    fact('params that do not fit are -32602', async () => {
      const { provider } = await connected()
      const asked = provider.request({ method: 'eth_getBalance', params: ['nobody'] })
      isSame((await failureOf(asked, 'eth_getBalance')).code, -32_602, 'the code')
    }),
    fact('what it is asked is left as it was', async () => {
      const opened = await provider()
      const asked = Object.freeze({ method: 'eth_accounts', params: Object.freeze([]) })
      await opened.request(asked)
      isSame(asked, { method: 'eth_accounts', params: [] }, 'the request')
    }),
    fact('a switch of the chain is told once, in hex, and eth_chainId is the new one', async () => {
      const { provider } = await connected()
      const told: unknown[] = []
      provider.on('chainChanged', (chainId) => told.push(chainId))
      const params = [{ chainId: hexOf(chains.other) }]
      isSame(
        await user.approve(provider.request({ method: 'wallet_switchEthereumChain', params })),
        null,
        'it',
      )
      isSame(await provider.request({ method: 'eth_chainId' }), hexOf(chains.other), 'eth_chainId')
      await becomes(() => told, [hexOf(chains.other)], 'what was told')
    }),
    fact('a chain that it can not be moved to is no refusal of the user', async () => {
      const { provider } = await connected()
      const before = await provider.request({ method: 'eth_chainId' })
      const params = [{ chainId: hexOf(chains.unknown) }]
      const failure = await failureOf(
        provider.request({ method: 'wallet_switchEthereumChain', params }),
        'an unknown chain',
      )
      const codes = causesOf(failure).map(({ code }) => code)
      holds(!codes.includes(4001), 'the code is not 4001', failure)
      isSame(await provider.request({ method: 'eth_chainId' }), before, 'eth_chainId')
    }),
    fact('a logout is told as no accounts, to whoever listens still', async () => {
      const { provider } = await connected()
      const told: unknown[] = []
      const toldToNobody: unknown[] = []
      const gone = (accounts: unknown) => void toldToNobody.push(accounts)
      provider.on('accountsChanged', (accounts) => told.push(accounts))
      provider.on('accountsChanged', gone)
      provider.removeListener('accountsChanged', gone)
      await user.logOut()
      await becomes(() => told.at(-1), [], 'the accounts that were told')
      isSame(await provider.request({ method: 'eth_accounts' }), [], 'eth_accounts')
      isSame(toldToNobody, [], 'what was told to a listener that was removed')
    }),
  ]
}

type Announced = { info: Readonly<Record<string, unknown>>; provider: unknown }
export type AnnouncementFixture = {
  /** The name that the wallet is known by. */
  rdns: string
}

/** In a page, once the wallet has come. */
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
    fact('it is announced once when a page asks, by its rdns', async () => {
      isSame(announcements().length, 1, 'how often it was announced')
    }),
    fact('what is announced has a name, an icon as data, and a UUID of version 4', async () => {
      const { uuid, name, icon } = announced().info
      holds(typeof name === 'string' && name.length > 0, 'it has a name', name)
      holds(
        /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/.test(String(icon)),
        'its icon is an image as data',
        icon,
      )
      const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
      holds(version4.test(String(uuid)), 'its UUID is of version 4', uuid)
    }),
    fact('no page can change what is announced', async () => {
      const detail = announced()
      holds(Object.isFrozen(detail) && Object.isFrozen(detail.info), 'it is frozen')
    }),
    fact('a page that asks again gets the same', async () => {
      const [one, other] = [announced(), announced()]
      isSame(other.info, one.info, 'the second announcement')
      holds(one.provider === other.provider, 'the provider is the same object')
    }),
  ]
}
