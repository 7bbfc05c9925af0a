/** LANDING with more to choose from than fields: what stands where, what opens the rest, and what was used last. */
import { getLoginMethod, type LoginMethod, product, snakeCase } from '@latchkey/protocol'
import { type Loadable, loadable } from '../../../../browser/loadable.ts'
import type { Cancellable } from '../../../../browser/waiting.ts'
import type { CapabilityPorts } from '../../../../contract/capability.ts'
import {
  isOn,
  type MethodInProgress,
  type OfferedMethod,
  type StartedMethod,
} from '../../../../contract/login.ts'
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
} from '../../../../flow/screen.ts'
import { groupPriority, type Settings } from '../../../../host/settings.ts'
import { holds, type Item, type Layout, layOut, type Overflow } from './layout.ts'
import type { OptionsEvents, OptionsState, ShownOption, ViewState } from './options-view.tsx'

const texts = async () => (await import('./texts.arb')).texts
const parts = ({ options }: OptionsState) => options.flatMap((each) => ('part' in each ? [each.part] : []))

export const optionsPart: Part<OptionsState, OptionsEvents> = definePart({
  texts,
  component: async () => (await import('./options-view.tsx')).Options,
})

const view = (name: string) =>
  defineScreen({
    name: `LANDING/${name}`,
    ways: () => everyWay,
    parts,
    texts,
    component: async () => (await import('./options-view.tsx')).OverflowView,
  })
/** Views of LANDING from which back leads to it. Each is told from the others, so that each is kept up to date. */
const overflowScreens = {
  more: view('more'),
  'web2-overflow': view('web2-overflow'),
  'web3-overflow': view('web3-overflow'),
} as const
const overflows: readonly Overflow[] = ['more', 'web2-overflow', 'web3-overflow']
const screens = overflows.map((name) => overflowScreens[name])

export const loadViews = () =>
  Promise.all(
    [optionsPart, ...Object.values(overflowScreens)].map((each) =>
      Promise.all([each.component.load(), each.texts.load()]),
    ),
  )

type Method = OfferedMethod & { start: Loadable<StartedMethod> }

export type LandingOptions = {
  /** What stands on LANDING is waited for; the rest comes when it stands there, or when it is asked for. */
  startFirst: () => Promise<readonly StartedMethod[]>
  startRest: () => void
  /** Those that have come. */
  started: () => readonly StartedMethod[]
  /** What stands on LANDING itself; undefined where nothing is offered. */
  part: () => ShownPart | undefined
  /** The other views, as they are now. */
  views: () => readonly ScreenToShow[]
  screens: readonly { name: string }[]
  remember: (method: LoginMethod | null) => void
}

/** One that can not be found out about is not offered, and holds up no other. */
export async function thoseThere(
  offered: readonly OfferedMethod[],
  asker: Cancellable,
): Promise<readonly OfferedMethod[]> {
  const isThere = ({ isThere }: OfferedMethod) => isThere?.(asker).catch(() => false) ?? true
  const there = await Promise.all(offered.map(isThere))
  return offered.filter((_, at) => there[at])
}

export function createOptions(
  {
    settings,
    store,
    loginMethods,
    whenIdle,
  }: Pick<CapabilityPorts, 'settings' | 'store' | 'loginMethods' | 'whenIdle'>,
  { card, refuse, refreshEntry, isAtEntry }: MethodInProgress,
  /** The screen that the options stand on. */
  entrance: { name: string },
  offered: readonly OfferedMethod[],
  start: (method: OfferedMethod) => Promise<StartedMethod>,
): LandingOptions {
  if (offered.length === 0) tellOfNoMethod(settings(), loginMethods())
  const { app, config } = settings()
  const storedName = product.storageName(app.id, 'last-login-method')
  const lastUsed = readStored()
  /** A view that was asked for and is waited for. */
  let opening: Overflow | undefined
  const methods: readonly Method[] = offered.map((each) => ({ ...each, start: loadable(() => start(each)) }))
  /** Undefined until it is known which there are. */
  const wallets = () => {
    const brings = methods.find(({ shows }) => shows === 'wallets')?.start.loaded()
    return brings && (brings.rows?.() ?? [])
  }

  const layout = (): Layout =>
    layOut(
      {
        primary: config.loginMethodsAndOrder?.primary,
        groupPriority: groupPriority(settings()),
        lastUsed,
        wallets: wallets()?.length ?? 1,
      },
      offered,
    )

  /** Those that stand there, by what is known now. */
  function methodsOf(view: keyof Layout) {
    const items = layout()[view]
    return methods.filter(({ method, shows }) =>
      items.some((item) =>
        item.kind === 'method' ? item.method === method : item.kind === 'wallet' && shows === 'wallets',
      ),
    )
  }
  /** Which wallet it was is not known: where some stand beside the button, it may have been one of them. */
  function leadsToLastUsed(opens: Overflow) {
    const last = offered.find(({ method }) => method === lastUsed)
    const all = layout()
    const mayStandBeside = opens === 'web3-overflow' && all.default.some(({ kind }) => kind === 'wallet')
    return last !== undefined && offered.length > 1 && !mayStandBeside && holds(all, opens, last)
  }
  const areAway = (some: readonly Method[]) => some.filter(({ start }) => start.loaded() === undefined)

  async function startLate({ start }: Method) {
    const started = await start.load()
    refreshEntry()
    if (isAtEntry()) started.resume?.()
  }

  function optionsOf(items: readonly Item[]): readonly ShownOption[] {
    return items.flatMap((item): readonly ShownOption[] => {
      switch (item.kind) {
        case 'opener':
          return [{ ...item, isLastUsed: leadsToLastUsed(item.opens) }]
        case 'wallet': {
          const part = wallets()?.[item.position]
          return part
            ? [{ key: `wallet ${part.key ?? item.position}`, part, shows: 'wallets', isLastUsed: false }]
            : []
        }
        case 'method': {
          const one = methods.find(({ method }) => method === item.method)
          const part = one?.start.loaded()?.entry()
          if (!one || !part) return []
          const isLastUsed = offered.length > 1 && one.method === lastUsed
          return [{ key: one.method, part, shows: one.shows, isLastUsed }]
        }
        default:
          return item satisfies never
      }
    })
  }

  const stateOf = (view: keyof Layout): OptionsState => ({
    options: optionsOf(layout()[view]),
    opening,
    isOneGroup: config.loginMethodsAndOrder !== undefined,
  })

  const events: { open: (opens: Overflow) => void } = {
    open(opens) {
      if (areAway(methodsOf(opens)).length === 0) card.go(viewOf(opens))
      else if (!opening) openLater(opens)
    },
  }
  async function openLater(opens: Overflow) {
    const from = [entrance, ...screens].find(card.isAt)
    opening = opens
    refreshEntry()
    let problem: unknown
    await Promise.all(areAway(methodsOf(opens)).map(startLate)).catch((error: unknown) => {
      problem = error
    })
    opening = undefined
    refreshEntry()
    if (!from || !card.isAt(from)) return
    if (problem !== undefined) refuse(problem)
    else if (layout()[opens].length > 0) card.go(viewOf(opens))
  }
  function viewOf(name: Overflow): ScreenToShow {
    const state: ViewState = { view: name, ...stateOf(name) }
    return screen(overflowScreens[name], state, events)
  }

  return {
    startFirst: () => Promise.all(methodsOf('default').map(({ start }) => start.load())),
    startRest: () =>
      whenIdle(() => {
        // What did not come is asked for again by who opens a view.
        if (!card.signal.aborted) for (const each of areAway(methods)) startLate(each).catch(() => {})
      }),
    started: () => methods.flatMap(({ start }) => start.loaded() ?? []),
    part() {
      if (offered.length === 0) return undefined
      const state = stateOf('default')
      const send = sendTo(events, () => card.isUsable(entrance))
      return showWithParts(optionsPart, state, send, parts(state))
    },
    views: () => overflows.map(viewOf),
    screens,
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

/** What the developer hears where no method can be offered; the user is told no more than that. */
function tellOfNoMethod({ app, config }: Settings, brought: readonly OfferedMethod[]): void {
  const wanted = config.loginMethods ?? []
  const on = brought.filter((each) => each.appSetting !== undefined && isOn(app, each))
  const has = on.map(({ method }) => method).join(', ')
  const asks = wanted.length > 0 ? `this page asks for ${wanted.join(', ')}, and ` : ''
  console.error(
    `${product.name}: ${asks}app ${app.id} has ${has || 'no login method'} on. To turn one on: npm run app -- ${turnedOnBy(wanted[0] ?? 'email', app.id)}`,
  )
}

function turnedOnBy(method: LoginMethod, appId: string) {
  const { setting } = getLoginMethod(method)
  return setting === undefined ? `providers ${appId} add <issuer>` : `set ${appId} ${snakeCase(setting)}=true`
}
