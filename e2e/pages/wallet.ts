/** A browser extension wallet. Its key is held by the test, which is also its user. */
import { createWalletClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { fromHex } from 'viem/utils'

type Refusal = { code: number; message: string }
export type WalletResponse = { result: unknown } | { error: Refusal }

export type TestWallet = {
  address: string
  /** Rejects the next request of this method. */
  refuseNext: (method: string) => void
  /** All requests, in order. */
  asked: readonly { method: string; params: readonly unknown[] }[]
  /** Returns the messages that it was asked to sign. */
  messages: () => readonly string[]
}

type WalletInfo = {
  name: string
  rdns: string
  chainId?: number
  /** The RPC node to which the wallet sends its transactions. */
  chainUrl?: string
}
const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#e2761b" d="M0 0h8v8H0z"/></svg>')}`
const userRejected: Refusal = { code: 4001, message: 'User rejected the request.' }

/** The setup methods of a page of Playwright or Puppeteer. */
export type PageSetup = {
  exposeFunction: (
    name: string,
    run: (method: string, params: readonly unknown[]) => Promise<WalletResponse>,
  ) => Promise<unknown>
  addInitScript: (run: (given: AnnouncedProvider) => void, given: AnnouncedProvider) => Promise<unknown>
}
type AnnouncedProvider = {
  binding: string
  detail: WalletInfo & { uuid: string; icon: string }
}

/** Must be called before the page opens. */
export async function installWallet(page: PageSetup, info: WalletInfo): Promise<TestWallet> {
  const account = privateKeyToAccount(generatePrivateKey())
  const requests: { method: string; params: readonly unknown[] }[] = []
  const refused = new Set<string>()
  let chainId = info.chainId ?? 1
  const sign = async (message: unknown) =>
    account.signMessage({ message: { raw: String(message) as `0x${string}` } })

  async function pay({ to, value }: { to: `0x${string}`; value: string }) {
    const transport = http(info.chainUrl)
    return createWalletClient({ account, chain: foundry, transport }).sendTransaction({
      to,
      value: BigInt(value),
    })
  }

  const does: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_requestAccounts: () => [account.address.toLowerCase()],
    eth_chainId: () => `0x${chainId.toString(16)}`,
    personal_sign: ([message]) => sign(message),
    eth_sendTransaction: ([payment]) => pay(Object(payment)),
    wallet_switchEthereumChain([asked]) {
      chainId = Number(Object(asked).chainId)
      return null
    },
  }
  async function answer(method: string, params: readonly unknown[]): Promise<WalletResponse> {
    requests.push({ method, params })
    if (refused.delete(method)) return { error: userRejected }
    const run = does[method]
    return run ? { result: await run(params) } : { error: { code: 4200, message: `No ${method}` } }
  }

  const uuid = crypto.randomUUID()
  const binding = `wallet_${uuid.replaceAll('-', '')}`
  await page.exposeFunction(binding, answer)
  await page.addInitScript(
    ({ binding, detail }) => {
      if (window !== window.top) return
      const provider = {
        async request({ method, params = [] }: { method: string; params?: readonly unknown[] }) {
          const ask = Reflect.get(window, binding) as (...asked: unknown[]) => Promise<object>
          const response = await ask(method, params)
          if ('error' in response) throw response.error
          return Reflect.get(response, 'result')
        },
      }
      const announce = () =>
        window.dispatchEvent(
          new CustomEvent('eip6963:announceProvider', {
            detail: Object.freeze({ info: detail, provider: Object.freeze(provider) }),
          }),
        )
      window.addEventListener('eip6963:requestProvider', announce)
      announce()
    },
    { binding, detail: { uuid, name: info.name, rdns: info.rdns, icon } },
  )
  return {
    address: account.address,
    refuseNext: (method) => void refused.add(method),
    asked: requests,
    messages: () =>
      requests.flatMap(({ method, params }) =>
        method === 'personal_sign' ? fromHex(String(params[0]) as `0x${string}`, 'string') : [],
      ),
  }
}
