/**
 * Opens screens from async functions and from other screens. The stage keeps the order of calls, the card and the
 * timers.
 */
import type { Catalogue } from '@latchkey/protocol/texts'
import { loadable } from '../browser/loadable.ts'
import {
  type CardHandle,
  done,
  type Ending,
  type Flow,
  type FlowHandle,
  type RunningFlow,
} from '../flow/flow.ts'
import { loadTogether, type ShownScreen } from '../flow/screen.ts'
import {
  type DialogContext,
  type LazyScreen,
  type LiveScreen,
  loadScreen,
  type OpenProps,
  type ScreenComponent,
  type ScreenHandle,
  type ScreenResult,
  type ScreenStack,
} from './screen.ts'
import type { DialogServices } from './services.ts'

/** The screens of one call. Each takes the place of the one before. */
export type CallScreens<Outcome = never> = Pick<
  FlowHandle<never>,
  'after' | 'signal' | 'hold' | 'interrupt'
> & {
  /** The handle for steps of other capabilities, which open their own screens. */
  card: CardHandle
  /** Settles the caller while the screens stay open. The first outcome counts. */
  settle: (ending: Ending<Outcome>) => void
  /** Rejects if the call ends before the screen does. */
  open: <Props extends object>(
    screen: LazyScreen<Props>,
    props: OpenProps<Props>,
  ) => Promise<ScreenResult<Props>>
}

type CallOptions<Outcome> = Omit<RunningFlow<Outcome>, 'run'>

/** Makes an async function that opens screens into a call for the stage. */
export const createCall =
  <Outcome>(
    services: DialogServices,
    options: CallOptions<Outcome>,
    run: (screens: CallScreens<Outcome>) => Promise<Outcome>,
  ): Flow<Outcome> =>
  (handle) => {
    const endWithoutResult = () => handle.end((options.onBack ?? options.onClose)())
    return {
      ...options,
      async run() {
        const outcome = await run({
          ...handle,
          card: handle,
          open: (screen, props) =>
            openScreen({ services, handle, show: handle.replace, leave: endWithoutResult }, screen, props),
        })
        handle.end(done(outcome))
      },
    }
  }

/** Creates a call that opens a single screen. Its outcome is undefined if the user leaves. */
export const createScreenCall = <Props extends object>(
  services: DialogServices,
  screen: LazyScreen<Props>,
  props: OpenProps<Props>,
): Flow<ScreenResult<Props> | undefined> => {
  const toNoResult = () => done<ScreenResult<Props> | undefined>(undefined)
  const { isUnderOthers } = screen
  const options = { kind: screen.name.toLowerCase(), isUnderOthers, onClose: toNoResult, onBack: toNoResult }
  return createCall<ScreenResult<Props> | undefined>(services, options, ({ open }) => open(screen, props))
}

/** Opens a screen on the card of a running flow, in the place of its present screen. */
export const openOnCard = <Props extends object>(
  services: DialogServices,
  card: CardHandle,
  screen: LazyScreen<Props>,
  props: OpenProps<Props>,
): Promise<ScreenResult<Props>> =>
  openScreen({ services, handle: card, show: card.replace, leave: card.back }, screen, props)

/** Opens a screen on the card of a running flow. Back leads to the present screen of the flow. */
export const pushOnCard = <Props extends object>(
  services: DialogServices,
  card: CardHandle,
  screen: LazyScreen<Props>,
  props: OpenProps<Props>,
): Promise<ScreenResult<Props>> =>
  openScreen({ services, handle: card, show: card.go, leave: card.back }, screen, props)

/** Creates a screen without a result for the card of a running flow, which shows it as often as it wants. */
export const createCardScreen = <Props extends object>(
  services: DialogServices,
  card: CardHandle,
  screen: LazyScreen<Props>,
  props: OpenProps<Props>,
) => createScreen({ services, handle: card, leave: card.back }, screen, props).shown

/** Opens a screen on a top-level page without services. Its component must not call `useDialog`. */
export const openOnPage = <Props extends object>(
  card: CardHandle,
  screen: LazyScreen<Props>,
  props: OpenProps<Props>,
): Promise<ScreenResult<Props>> =>
  openScreen({ services: undefined, handle: card, show: card.replace, leave: card.back }, screen, props)

type Surroundings = {
  services: DialogServices | undefined
  handle: CardHandle
  leave: () => void
}

const liveScreen = loadable(() => import('./live-screen.tsx'))
let openedScreens = 0

function openScreen<Props extends object>(
  { show, ...surroundings }: Surroundings & { show: CardHandle['go'] },
  lazy: LazyScreen<Props>,
  props: OpenProps<Props>,
): Promise<ScreenResult<Props>> {
  const { shown, result } = createScreen(surroundings, lazy, props)
  show(shown())
  return result
}

function createScreen<Props extends object>(
  { services, handle, leave }: Surroundings,
  lazy: LazyScreen<Props>,
  props: OpenProps<Props>,
): { shown: () => ShownScreen; result: Promise<ScreenResult<Props>> } {
  const { name } = lazy
  const { promise, resolve, reject } = Promise.withResolvers<ScreenResult<Props>>()
  openedScreens += 1
  const id = `${name}-${openedScreens}`
  let live: LiveScreen | undefined

  function createContext(present: DialogServices): DialogContext {
    const isInFront = () => handle.isUsable({ name, id })
    const screens: ScreenStack = {
      open: (screen, childProps) => screens.run(createScreenCall(present, screen, childProps)),
      async run(call) {
        return isInFront() ? handle.interrupt(call) : undefined
      },
    }
    return { services: present, screens, handle, isCurrent: () => handle.isAt({ name, id }), isInFront }
  }
  const screen: ScreenHandle<ScreenResult<Props>> = { resolve, reject, leave }
  const createLive = (Component: ScreenComponent<Props>, texts: Catalogue<unknown>): LiveScreen => ({
    // The props below are those of this component.
    Component: Component as LiveScreen['Component'],
    props: { ...props, screen },
    texts,
    context: services && createContext(services),
    setOptions(change) {
      current = { ...current, ...change }
      handle.update(current)
    },
  })
  const parts = () => loadTogether(lazy.parts(props))
  let current: ShownScreen = {
    ...lazy.options,
    id,
    name,
    isLoaded: (language) =>
      liveScreen.loaded() !== undefined &&
      lazy.component.loaded() !== undefined &&
      lazy.texts.loaded()?.isLoaded(language) === true &&
      parts().isLoaded(language),
    load: (language) => Promise.all([liveScreen.load(), loadScreen(lazy, language), parts().load(language)]),
    render() {
      const Component = lazy.component.loaded()
      const texts = lazy.texts.loaded()
      if (!Component || !texts) return null
      live ??= createLive(Component, texts)
      return liveScreen.loaded()?.renderLiveScreen(live)
    },
  }

  handle.signal.addEventListener('abort', () => reject(handle.signal.reason))
  // The opener may have stopped waiting.
  promise.catch(() => {})
  return { shown: () => current, result: promise }
}
