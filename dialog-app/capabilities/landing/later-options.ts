/** LANDING with more to choose from than fields: what stands where, what opens the rest, and what was used last. */
import { type LoginMethod, product } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { CardHandle } from '../../core/flow.ts'
import type { OfferedMethod, StartedMethod } from '../../core/login.ts'
import {
  definePart,
  defineScreen,
  everyWay,
  type Part,
  type ScreenToShow,
  type ShownPart,
  screen,
  sendTo,
  showWithParts,
} from '../../core/screen.ts'
import { groupPriority } from '../../core/settings.ts'
import { type Item, type Layout, layOut, type Overflow } from './later-layout.ts'
import { tellOfNoMethod } from './later-no-method.ts'
import type { OptionsEvents, OptionsState, ShownOption, ViewState } from './later-options-view.tsx'

const texts = async () => (await import('./later-texts.ts')).texts
const parts = ({ options }: OptionsState) => options.flatMap((each) => ('part' in each ? [each.part] : []))

export const optionsPart: Part<OptionsState, OptionsEvents> = definePart({
  texts,
  component: async () => (await import('./later-options-view.tsx')).Options,
})

const view = (name: string) =>
  defineScreen({
    name: `LANDING/${name}`,
    ways: () => everyWay,
    parts,
    texts,
    component: async () => (await import('./later-options-view.tsx')).OverflowView,
  })
/** Views of LANDING from which back leads to it. Each is told from the others, so that each is kept up to date. */
const overflowScreens = {
  more: view('more'),
  'web2-overflow': view('web2-overflow'),
  'web3-overflow': view('web3-overflow'),
} as const
const overflows: readonly Overflow[] = ['more', 'web2-overflow', 'web3-overflow']

export const loadViews = () =>
  Promise.all(
    [optionsPart, ...Object.values(overflowScreens)].map((each) =>
      Promise.all([each.component.load(), each.texts.load()]),
    ),
  )

export type LandingOptions = {
  /** What stands on LANDING itself. */
  readonly part: () => ShownPart
  /** The other views, as they are now. */
  readonly views: () => readonly ScreenToShow[]
  readonly screens: readonly { readonly name: string }[]
  readonly remember: (method: LoginMethod | null) => void
}

export function createOptions(
  { settings, store, loginMethods }: Pick<CapabilityPorts, 'settings' | 'store' | 'loginMethods'>,
  handle: CardHandle,
  /** On which it stands. */
  entrance: { readonly name: string },
  offered: readonly OfferedMethod[],
  /** In the same order. */
  started: readonly StartedMethod[],
): LandingOptions {
  if (offered.length === 0) tellOfNoMethod(settings(), loginMethods())
  const { app, config } = settings()
  const storedName = product.storageName(app.id, 'last-login-method')
  const lastUsed = readStored()
  const wallets = () => started.flatMap(({ rows }) => rows?.() ?? [])

  const layout = (): Layout =>
    layOut(
      {
        primary: config.loginMethodsAndOrder?.primary,
        groupPriority: groupPriority(settings()),
        wallets: wallets().length,
      },
      offered,
    )

  function optionsOf(items: readonly Item[]): readonly ShownOption[] {
    return items.flatMap((item): readonly ShownOption[] => {
      switch (item.kind) {
        case 'opener':
          return [item]
        case 'wallet': {
          const part = wallets()[item.position]
          return part ? [{ key: `wallet ${item.position}`, part, shows: 'row', isLastUsed: false }] : []
        }
        case 'method': {
          const at = offered.findIndex(({ method }) => method === item.method)
          const [one, part] = [offered[at], started[at]?.entry()]
          if (!one || !part) return []
          const isLastUsed = offered.length > 1 && one.method === lastUsed
          return [{ key: one.method, part, shows: one.shows, isLastUsed }]
        }
        default:
          return item satisfies never
      }
    })
  }

  const events: { readonly open: (opens: Overflow) => void } = {
    open: (opens) => handle.go(viewOf(opens)),
  }
  function viewOf(name: Overflow): ScreenToShow {
    const state: ViewState = { view: name, options: optionsOf(layout()[name]) }
    return screen(overflowScreens[name], state, events)
  }

  return {
    part() {
      const state = { options: optionsOf(layout().default) }
      const send = sendTo(events, () => handle.isUsable(entrance))
      return showWithParts(optionsPart, state, send, parts(state))
    },
    views: () => overflows.map(viewOf),
    screens: overflows.map((name) => overflowScreens[name]),
    remember(method) {
      if (method === null) return
      try {
        store.write(storedName, method)
      } catch {
        // A browser that keeps nothing shows no mark.
      }
    },
  }

  function readStored(): string | null {
    try {
      return store.read(storedName)
    } catch {
      return null
    }
  }
}
