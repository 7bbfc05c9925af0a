/** The calls that every page offers to its tests, implemented with the page's library. */
export type TypedData = {
  domain: Record<string, unknown>
  types: Record<string, { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}
export type Client = {
  /** Pages of a kit connect with the kit's own button. */
  connect?: (id?: string) => Promise<unknown>
  account: () => unknown
  chainId: () => unknown
  signMessage: (message: string) => Promise<string>
  signTypedData: (data: TypedData) => Promise<string>
  /** Returns the hash of the transaction and whether it succeeded. */
  send: (to: string, wei: string) => Promise<{ hash: string; succeeded: boolean }>
  switchChain: (chainId: number) => Promise<unknown>
} & { [name: string]: (...args: never[]) => unknown }

type Provider = {
  request: (asked: { method: string; params?: unknown }) => Promise<unknown>
  on: (name: string, listener: (event: unknown) => void) => unknown
  removeListener: (name: string, listener: (event: unknown) => void) => unknown
}

export const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const { chainUrl = '' } = document.documentElement.dataset

export { chainUrl }

/** Resolves with Latchkey's provider, found like any library does: https://eips.ethereum.org/EIPS/eip-6963 */
export const findProvider = () =>
  new Promise<Provider>((resolve) => {
    addEventListener('eip6963:announceProvider', (event) => {
      const { info, provider } = Reflect.get(event, 'detail')
      if (info.rdns === 'app.latchkey') resolve(provider)
    })
    dispatchEvent(new Event('eip6963:requestProvider'))
  })

/** Returns the causes of an error, outermost first. */
function getCauses(error: unknown): unknown[] {
  const { cause, error: inner, info, innerError } = Object(error)
  const next = cause ?? innerError ?? inner ?? info?.error
  return next ? [error, ...getCauses(next)] : [error]
}

const events: (readonly [name: string, event: unknown])[] = []
export const received = (name: string) => (event: unknown) => {
  events.push([name, event instanceof Error ? Reflect.get(event, 'code') : event])
}

export function offer(client: Client) {
  const run = async (name: string, args: never[]) => {
    try {
      return { value: await client[name]?.(...args) }
    } catch (error) {
      const causes = getCauses(error)
      return {
        error: {
          name: Object(error).name,
          message: Object(error).message,
          codes: causes.map((each) => Object(each).code),
          messages: causes.map((each) => Object(each).message),
          names: causes.map((each) => Object(each).name),
        },
      }
    }
  }
  Object.assign(globalThis, { run, events })
}
