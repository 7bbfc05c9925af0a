/** The shell over a core that a test moves by hand, and pictures to show in it. */
import type { ClientConfig } from '@latchkey/protocol'
import type { Gate, GateEvent } from '@latchkey/protocol/browser'
import { createStore } from 'jotai/vanilla'
import { flushSync } from 'react-dom'
import { requestApproval } from '../../approval/approval.ts'
import { requestPicture } from '../../capabilities/sign/gallery.ts'
import type { Picture } from '../../contract/picture.ts'
import { onlyClose, type ShownScreen } from '../../flow/screen.ts'
import { closedView, type View } from '../../flow/view.ts'
import { createSettings, createViewport } from '../../gallery/app.ts'
import { toLanguage } from '../../i18n/languages.ts'
import { settingsAtom, viewAtom, viewportAtom } from '../atoms.ts'
import type { Core } from '../core.ts'
import { mountShell } from '../index.tsx'
import './no-blur.css'

const store = createStore()
store.set(viewAtom, { ...closedView, header: onlyClose })
store.set(settingsAtom, createSettings({}))
let shown: readonly Picture[] = []
/** What the user did: the name of each event and the values that came with it. */
const sent: (readonly unknown[])[] = []
/** Who waits until a screen is drawn and has the focus. */
const waitingForFocus: (() => void)[] = []
const core: Core = {
  store,
  back: () => sent.push(['back']),
  close: () => sent.push(['close']),
  skip: () => sent.push(['skip']),
  lose: () => {},
  drawn: () => {},
  focused: () => {
    for (const resolve of waitingForFocus.splice(0)) resolve()
  },
}

/** How often the shell drew a screen. */
let drawings = 0

const draw = (caption: string): ShownScreen => {
  const picture = shown.find((one) => one.caption === caption)
  if (!picture) throw new Error(`no picture is called ${caption}`)
  const screen = picture.screen((name, values) => sent.push([name, ...values]), language())
  return {
    ...screen,
    render() {
      drawings += 1
      return screen.render()
    },
  }
}
const language = () => toLanguage(store.get(settingsAtom)?.config.intl?.locale)

/** Drawn before the test goes on; in the product React takes its time. */
const see = (change: Partial<View>) =>
  flushSync(() => store.set(viewAtom, (view) => ({ ...view, ...change })))

const goTo = (screen: ShownScreen, how: Partial<View> = {}) => {
  const header = { ...screen.ways, back: false }
  const step = store.get(viewAtom).step + 1
  see({ open: true, shown: true, screen: { ...screen, id: String(step) }, header, step, ...how })
}

/** Shows the present screen in another state. */
const replace = (screen: ShownScreen) => see({ screen: { ...screen, id: String(store.get(viewAtom).step) } })

function focusOn(screen: ShownScreen, how: Partial<View>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  waitingForFocus.push(resolve)
  goTo(screen, how)
  return promise
}

/** Shows a real approval. Returns a function that tells whether the user approved. */
function askApproval(): () => boolean {
  let isGiven = false
  const ownStep = store.get(viewAtom).step + 1
  const approval = requestApproval('message', (gate) => {
    // A screen that is leaving still reports its visibility.
    if (store.get(viewAtom).step === ownStep) replace(drawWith(gate))
  })
  approval.outcome.then(() => {
    isGiven = true
  })
  const drawWith = (gate: Gate) =>
    requestPicture({ approval: { by: 'press', gate } })((name, values) => {
      sent.push([name, ...values])
      const [noticed] = values
      if (name === 'notice') approval.handlers.notice(noticed as GateEvent)
    }, language())
  goTo(drawWith(approval.gate()))
  return () => isGiven
}
let isApproved = () => false

const isPress = (noticed: unknown) =>
  typeof noticed === 'object' && noticed !== null && 'type' in noticed && noticed.type === 'press'

export const handle = {
  askApproval: () => {
    isApproved = askApproval()
  },
  isApproved: () => isApproved(),

  /** What the user did, but each key of a code, and what the screen of an approval notices by itself. */
  sent: () => sent.filter(([name]) => name !== 'notice' && name !== 'edit'),
  /** Presses of the button of an approval, whether they count or not. */
  presses: () => sent.filter(([name, noticed]) => name === 'notice' && isPress(noticed)).length,
  edits: () => sent.filter(([name]) => name === 'edit').length,
  /** Goes to a screen as a step of its own; what comes back is there once the screen has the focus. */
  go: (
    caption: string,
    direction: View['direction'] = 'forward',
    held = false,
    change: Partial<Pick<ShownScreen, 'waits'>> = {},
  ) => focusOn({ ...draw(caption), ...change }, { direction, held }),
  /** With every way out that the screen offers, as where another was before it. */
  goOn: (caption: string) => {
    const screen = draw(caption)
    return focusOn(screen, { header: screen.ways })
  },
  /** Waits until every screen has moved in. What never ends, or follows the scroll position, is left out. */
  settled: async () => {
    const finite = document
      .getAnimations()
      .filter(
        ({ effect, timeline }) =>
          timeline === document.timeline && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      )
    await Promise.allSettled(finite.map((one) => one.finished))
  },
  captions: () => shown.map(({ caption }) => caption),
  /** The same screen in another state. */
  update: (caption: string, change: Partial<Pick<ShownScreen, 'waits'>> = {}) =>
    replace({ ...draw(caption), ...change }),
  close: () => see({ open: false, shown: false }),
  reset: () => see({ open: false, shown: false, screen: undefined }),
  drawings: () => drawings,
  /** Returns whether a pointer in the middle of the element reaches it. */
  isPressable: (selector: string) => {
    const element = document.querySelector(selector)
    if (!element) throw new Error(`no element is ${selector}`)
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  },
  viewport: (heightPx: number) => store.set(viewportAtom, createViewport(heightPx)),
  locale: (locale: string) => store.set(settingsAtom, createSettings({ intl: { locale } })),
  legal: (legal: NonNullable<ClientConfig['legal']>) => store.set(settingsAtom, createSettings({ legal })),
  appearance: (appearance: NonNullable<ClientConfig['appearance']>) =>
    store.set(settingsAtom, createSettings({ appearance })),
}
declare global {
  var shell: typeof handle
}

/** Draws nothing yet; the test finds its handle at `shell`. */
export async function startShell(pictures: readonly Picture[], locale = 'en'): Promise<void> {
  shown = pictures
  store.set(settingsAtom, createSettings({ intl: { locale } }))
  await Promise.all(pictures.map(({ screen }) => screen(() => {}, 'en').load(toLanguage(locale))))
  const root = document.getElementById('root')
  if (root) mountShell(root, core)
  globalThis.shell = handle
}
