/** The contents of a React provider: one handle while it is mounted, its state, and stable functions. */
import type { Latchkey } from '../calls/latchkey.ts'
import { createLatchkey, handleCallNames } from '../start/index.ts'
import { type AttachableStore, createStore } from '../state/state.ts'
import { type SentTransaction, toSentTransaction } from '../state/wallet-list.ts'
import type { CallOptions, HostLogin, LatchkeyEvents, Preload, WalletOptions } from '../types/options.ts'
import type { ClientConfig, SendUi, TransactionRequest } from '../types/published.ts'

/** The calls of a handle as functions that stay the same for a provider. */
export type Actions = Omit<
  Latchkey,
  'appId' | 'ready' | 'on' | 'destroy' | 'setConfig' | 'sendTransaction'
> & {
  /** `receipt` is missing if the dialog did not wait for the transaction to be mined. */
  sendTransaction(
    transaction: TransactionRequest,
    options?: SendUi & WalletOptions & CallOptions,
  ): Promise<SentTransaction>
}

export type AppOptions = {
  appId: string
  dialogUrl?: string | undefined
  preload?: Preload | undefined
  /** The login of your page. Set it from the first render on; `getToken` may change. */
  auth?: HostLogin | undefined
  /** An existing handle to use instead of a new one, for example in tests. */
  latchkey?: Latchkey | undefined
}

type Listening = {
  name: keyof LatchkeyEvents
  listener: (event: never) => void
  off?: () => void
}

export type App = {
  store: AttachableStore
  actions: Actions
  /** Opens the handle. Returns a function that closes it, delayed because React StrictMode mounts twice. */
  hold(): () => void
  configure(config: ClientConfig | undefined, auth: HostLogin | undefined): void
  /** Logs in with only the given login method. */
  loginBy(method: ConfiguredLoginMethod, options?: CallOptions): ReturnType<Latchkey['login']>
  on<Name extends keyof LatchkeyEvents>(
    name: Name,
    listener: (event: LatchkeyEvents[Name]) => void,
  ): () => void
}
type ConfiguredLoginMethod = NonNullable<ClientConfig['loginMethods']>[number]

/** Creates an app without side effects, so that it is safe in a discarded render and on a server. */
export function createApp({ appId, dialogUrl, preload = 'idle', latchkey, ...options }: AppOptions): App {
  let { auth } = options
  const store = createStore()
  const listening = new Set<Listening>()
  let config: ClientConfig | undefined
  let handle: Latchkey | undefined
  let detach: (() => void) | undefined
  let holders = 0
  let closeTimer: ReturnType<typeof setTimeout> | undefined

  function open(): Latchkey {
    if (handle) return handle
    handle =
      latchkey ??
      createLatchkey({
        appId,
        ...(dialogUrl !== undefined && { dialogUrl }),
        ...(config && { config }),
        ...(auth && { auth: { getToken: () => auth?.getToken() ?? null } }),
        preload: 'never',
      })
    for (const each of listening) each.off = handle.on(each.name, each.listener as () => void)
    return handle
  }

  function close() {
    detach?.()
    detach = undefined
    for (const each of listening) each.off?.()
    if (!latchkey) handle?.destroy()
    handle = undefined
  }

  const actions = Object.fromEntries(
    handleCallNames.map((name) => [
      name,
      // No await before the call: browsers open windows only within the click.
      async (...args: readonly unknown[]) => {
        const call = open()[name as keyof Actions] as (...args: readonly unknown[]) => Promise<unknown>
        // A button passes its event as the first argument.
        return call(...(isEvent(args[0]) ? args.slice(1) : args))
      },
    ]),
  )

  return {
    store,
    actions: Object.freeze({
      ...(actions as unknown as Actions),
      sendTransaction: async (transaction, options) =>
        toSentTransaction(await open().sendTransaction(transaction, options)),
    } satisfies Actions),
    hold() {
      clearTimeout(closeTimer)
      holders += 1
      detach ??= store.attach(open(), preload)
      return () => {
        holders -= 1
        if (holders === 0) closeTimer = setTimeout(close)
      }
    },
    configure(next, nextAuth) {
      auth = nextAuth
      const isSame = JSON.stringify(next) === JSON.stringify(config)
      config = next
      // A refused configuration makes the next call reject, with the path.
      if (!isSame && handle) handle.setConfig(next ?? {}).catch((error) => console.warn(error))
    },
    async loginBy(method, options) {
      const latchkey = open()
      const { loginMethodsAndOrder: _, ...others } = config ?? {}
      await latchkey.setConfig({ ...others, loginMethods: [method] })
      try {
        return await latchkey.login(options)
      } finally {
        await latchkey.setConfig(config ?? {}).catch(() => {})
      }
    },
    on(name, listener) {
      const own: Listening = { name, listener }
      if (handle) own.off = handle.on(name, listener)
      listening.add(own)
      return () => {
        own.off?.()
        listening.delete(own)
      }
    },
  }
}

const isEvent = (value: unknown) => 'nativeEvent' in Object(value) || 'isTrusted' in Object(value)
