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
  /** Compared by value, so it may be an inline object. */
  config?: ClientConfig | undefined
  children?: ReactNode
}

/** Created on first use, because module-level calls prevent tree shaking. */
let context: Context<App | null> | undefined
const getContext = () => {
  context ??= createContext<App | null>(null)
  return context
}

/**
 * Provides an app's login and wallet to the hooks below it. A change of `appId` or `dialogUrl` mounts a new
 * one.
 */
export function LatchkeyProvider(props: LatchkeyProviderProps): ReactNode {
  return createElement(Holder, { ...props, key: `${props.appId} ${props.dialogUrl}` })
}

function Holder({ config, children, ...options }: LatchkeyProviderProps): ReactNode {
  const [app] = useState(() => createApp(options))
  useEffect(() => app.configure(config, options.auth))
  useEffect(() => app.hold(), [app])
  return createElement(getContext().Provider, { value: app }, children)
}

export function useApp(): App {
  const app = useContext(getContext())
  if (app) return app
  throw new Error(
    'Latchkey hooks must be used within <LatchkeyProvider appId="…" dialogUrl="…">. Wrap your app in it.',
  )
}

/** Selects a part of the state. The component renders again only when that part changes. */
export function useSelector<Part>(select: (state: LatchkeyState) => Part): Part {
  const { store } = useApp()
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.getSnapshot()),
    () => select(store.getServerSnapshot()),
  )
}
