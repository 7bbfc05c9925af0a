import {
  type Context,
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import type { LatchkeyState } from '../state/state.ts'
import type { ClientConfig } from '../types/published.ts'
import { type App, type AppOptions, createApp } from './app.ts'

export type LatchkeyProviderProps = AppOptions & {
  /** Compared by what it says, so that it may be written where it is used. */
  config?: ClientConfig | undefined
  children?: ReactNode
}

/** The context is created with its first use, because a bundler can not leave out what runs when the file is loaded. */
let context: Context<App | null> | undefined
const contextOfApp = () => {
  context ??= createContext<App | null>(null)
  return context
}

/** Gives the hooks below it the login and wallet of an app. Another app, or another dialog, is another provider. */
export function LatchkeyProvider(props: LatchkeyProviderProps): ReactNode {
  return createElement(Holder, { ...props, key: `${props.appId} ${props.dialogUrl}` })
}

function Holder({ config, children, ...options }: LatchkeyProviderProps): ReactNode {
  const [app] = useState(() => createApp(options))
  useEffect(() => app.configure(config))
  useEffect(() => app.hold(), [app])
  return createElement(contextOfApp().Provider, { value: app }, children)
}

export function useApp(): App {
  const app = useContext(contextOfApp())
  if (app) return app
  throw new Error(
    'A hook of Latchkey was used outside of its provider: put <LatchkeyProvider appId="…" dialogUrl="…"> around your app.',
  )
}

/** One part of the state: a component is drawn again when that part changes, and by nothing else. */
export function useStateOf<Part>(select: (state: LatchkeyState) => Part): Part {
  const { store } = useApp()
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.getSnapshot()),
    () => select(store.getServerSnapshot()),
  )
}
