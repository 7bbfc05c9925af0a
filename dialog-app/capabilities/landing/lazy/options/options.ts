/** The layout of LANDING with more than fields: order, overflow views, and the method that was used last. */
import { getLoginMethod, isOidcProvider, type LoginMethod, product, snakeCase } from '@latchkey/protocol'
import { createElement } from 'react'
import type { Changes } from '../../../../app/changes.ts'
import { type LazyScreen, lazyScreen } from '../../../../app/screen.ts'
import { createCardScreen } from '../../../../app/screen-stack.ts'
import { type Loadable, loadable } from '../../../../browser/loadable.ts'
import type { Cancellable } from '../../../../browser/waiting.ts'
import type { CapabilityPorts } from '../../../../contract/capability.ts'
import {
  isOn,
  type MethodInProgress,
  type OfferedMethod,
  type StartedMethod,
} from '../../../../contract/login.ts'
import { loadTogether, type ShownElement, type ShownScreen, showElement } from '../../../../flow/screen.ts'
import { groupPriority, type Settings } from '../../../../host/settings.ts'
import { holds, type Item, type Layout, layOut, type Overflow } from './layout.ts'
import {
  Options,
  type OptionsModel,
  type OverflowProps,
  OverflowScreen,
  type ShownOption,
} from './options-view.tsx'
import { texts } from './texts.arb'

const overflowScreen = (view: Overflow) =>
  lazyScreen({
    name: `LANDING/${view}`,
    parts: ({ model }: OverflowProps) => getParts(model, view),
    texts: async () => texts,
    component: async () => OverflowScreen,
  })

/** Back leads from these views to LANDING. */
const overflowScreens: { [view in Overflow]: LazyScreen<OverflowProps> } = {
  more: overflowScreen('more'),
  'web2-overflow': overflowScreen('web2-overflow'),
  'web3-overflow': overflowScreen('web3-overflow'),
}

const getParts = (model: OptionsModel, view: keyof Layout) =>
  model.optionsOf(view).flatMap((each) => ('part' in each ? [each.part] : []))

/** Draws the options of one view, as LANDING has them. */
export const showOptions = (model: OptionsModel, view: keyof Layout): ShownElement =>
  showElement(createElement(Options, { model, view }), {
    isLoaded: (language) => loadTogether([texts, ...getParts(model, view)]).isLoaded(language),
    load: (language) => loadTogether([texts, ...getParts(model, view)]).load(language),
  })

type Method = OfferedMethod & { start: Loadable<StartedMethod> }

export type LandingOptions = {
  /** Loads the methods on LANDING itself. The others load when the browser is idle, or on demand. */
  startFirst: () => Promise<readonly StartedMethod[]>
  startRest: () => void
  /** The methods that have loaded. */
  started: () => readonly StartedMethod[]
  /** The options on LANDING itself, or undefined without a method. */
  element: ShownElement | undefined
  /** The overflow views. */
  screens: () => readonly ShownScreen[]
  remember: (method: LoginMethod | null) => void
}

/** Returns the available methods. Omits a method if its check fails. The checks run in parallel. */
export async function thoseThere(
  offered: readonly OfferedMethod[],
  asker: Cancellable,
): Promise<readonly OfferedMethod[]> {
  const isThere = ({ isThere }: OfferedMethod) => isThere?.(asker).catch(() => false) ?? true
  const availability = await Promise.all(offered.map(isThere))
  return offered.filter((_, at) => availability[at])
}

export function createOptions(
  ports: CapabilityPorts,
  { card, refuse, isAtEntry }: MethodInProgress,
  /** LANDING, or one of its variants. */
  entrance: { name: string },
  changes: Changes,
  offered: readonly OfferedMethod[],
  start: (method: OfferedMethod) => Promise<StartedMethod>,
): LandingOptions {
  const { settings, store, loginMethods, whenIdle } = ports
  if (offered.length === 0) tellOfNoMethod(settings(), loginMethods())
  const { app, config } = settings()
  const storedName = product.storageName(app.id, 'last-login-method')
  const lastUsed = readStored()
  /** The overflow view that is loading. */
  let opening: Overflow | undefined
  const methods: readonly Method[] = offered.map((each) => ({ ...each, start: loadable(() => start(each)) }))
  /** Undefined while the wallet method loads. */
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

  /** Returns the methods of a view in the present layout. */
  function getViewMethods(view: keyof Layout) {
    const items = layout()[view]
    return methods.filter(({ method, shows }) =>
      items.some((item) =>
        item.kind === 'method' ? item.method === method : item.kind === 'wallet' && shows === 'wallets',
      ),
    )
  }
  /** The last wallet is unknown. It may be one of those beside the button. */
  function leadsToLastUsed(opens: Overflow) {
    const last = offered.find(({ method }) => method === lastUsed)
    const all = layout()
    const mayStandBeside = opens === 'web3-overflow' && all.default.some(({ kind }) => kind === 'wallet')
    return last !== undefined && offered.length > 1 && !mayStandBeside && holds(all, opens, last)
  }
  const areAway = (some: readonly Method[]) => some.filter(({ start }) => start.loaded() === undefined)

  async function startLate({ start }: Method) {
    const started = await start.load()
    changes.notify()
    if (isAtEntry()) started.resume?.()
  }

  function toOptions(items: readonly Item[]): readonly ShownOption[] {
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
          const started = one?.start.loaded()
          if (!one || !started) return []
          const isLastUsed = offered.length > 1 && one.method === lastUsed
          return [{ key: one.method, part: started.entry, shows: one.shows, isLastUsed }]
        }
        default:
          return item satisfies never
      }
    })
  }

  const model: OptionsModel = {
    subscribe: changes.subscribe,
    version: changes.version,
    optionsOf: (view) => toOptions(layout()[view]),
    opening: () => opening,
    isOneGroup: config.loginMethodsAndOrder !== undefined,
    open(opens) {
      if (![entrance, ...screens()].some(card.isUsable)) return
      if (areAway(getViewMethods(opens)).length === 0) card.go(views[opens]())
      else if (!opening) openLater(opens)
    },
  }
  const createView = (view: Overflow) => createCardScreen(ports, card, overflowScreens[view], { model, view })
  const views: { [view in Overflow]: () => ShownScreen } = {
    more: createView('more'),
    'web2-overflow': createView('web2-overflow'),
    'web3-overflow': createView('web3-overflow'),
  }
  const screens = () => Object.values(views).map((each) => each())
  async function openLater(opens: Overflow) {
    const from = [entrance, ...screens()].find(card.isAt)
    opening = opens
    changes.notify()
    let problem: unknown
    await Promise.all(areAway(getViewMethods(opens)).map(startLate)).catch((error: unknown) => {
      problem = error
    })
    opening = undefined
    changes.notify()
    if (!from || !card.isAt(from)) return
    if (problem !== undefined) refuse(problem)
    else if (layout()[opens].length > 0) card.go(views[opens]())
  }

  return {
    startFirst: () => Promise.all(getViewMethods('default').map(({ start }) => start.load())),
    startRest: () =>
      whenIdle(() => {
        // A method that fails to load here is retried when its view opens.
        if (!card.signal.aborted) for (const each of areAway(methods)) startLate(each).catch(() => {})
      }),
    started: () => methods.flatMap(({ start }) => start.loaded() ?? []),
    element: offered.length === 0 ? undefined : showOptions(model, 'default'),
    screens,
    remember(method) {
      if (method === null) return
      try {
        store.write(storedName, method)
      } catch {
        // Without storage, no method is marked as last used.
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

/** Logs for the developer why LANDING has no methods, and the command that enables one. */
function tellOfNoMethod({ app, config }: Settings, brought: readonly OfferedMethod[]): void {
  const requestedMethods = config.loginMethods ?? []
  const on = brought.filter((each) => each.appSetting !== undefined && isOn(app, each))
  const has = on.map(({ method }) => method).join(', ')
  const asks = requestedMethods.length > 0 ? `this page asks for ${requestedMethods.join(', ')}, and ` : ''
  console.error(
    `${product.name}: ${asks}app ${app.id} has ${has || 'no login method'} on. To turn one on: npm run app -- ${turnedOnBy(requestedMethods[0] ?? 'email', app.id)}`,
  )
}

function turnedOnBy(method: LoginMethod, appId: string) {
  const { setting } = getLoginMethod(method)
  if (isOidcProvider(method)) return `oidc ${appId} add ${method.slice('oidc:'.length)}`
  return setting === undefined ? `providers ${appId} add <issuer>` : `set ${appId} ${snakeCase(setting)}=true`
}
