/** The face over a core that a test moves by hand. */
import type { ClientConfig } from '@latchkey/protocol'
import { atom, createStore } from 'jotai/vanilla'
import { flushSync } from 'react-dom'
import type { Core, View } from '../../core.ts'
import type { ScreenView, ViewEvent } from '../../flows/view-state.ts'
import { settingsOf } from '../../gallery/app.ts'
import { fixtures } from '../../gallery/fixtures.ts'
import { mountFace } from '../index.tsx'

const store = createStore()
const viewAtom = atom<View>({
  open: false,
  screen: undefined,
  step: 0,
  direction: 'forward',
  header: { back: false, info: false, close: true },
  standalone: false,
})
const settingsAtom = atom(settingsOf({}, undefined))
const sent: ViewEvent[] = []
const core: Core = { store, viewAtom, settingsAtom, send: (event) => sent.push(event) }

const root = document.getElementById('root')
if (root) mountFace(root, core)

const screenOf = (caption: string): ScreenView => {
  const fixture = fixtures.find((one) => one.caption === caption)
  if (!fixture) throw new Error(`no fixture is called ${caption}`)
  return fixture.screen
}

/** Drawn before the test goes on; in the product React takes its time. */
const see = (change: Partial<View> | ((view: View) => View)) =>
  flushSync(() =>
    store.set(viewAtom, (view) => (typeof change === 'function' ? change(view) : { ...view, ...change })),
  )

export const handle = {
  /** Everything that the user did, but what the card's visibility says by itself. */
  sent: () => sent.filter(({ type }) => type !== 'visibility'),
  readings: () => sent.filter((event) => event.type === 'visibility'),
  /** Goes to a screen as a step of its own. */
  go: (caption: string, over: Partial<View> = {}) =>
    see((view) => ({ ...view, open: true, screen: screenOf(caption), step: view.step + 1, ...over })),
  /** The same screen in another state. */
  update: (caption: string, state: object = {}) => {
    const { name, state: known } = screenOf(caption)
    see({ screen: { name, state: { ...known, ...state } } as ScreenView })
  },
  close: () => see({ open: false }),
  reset: () => see({ open: false, screen: undefined }),
  viewport: (heightPx: number) => store.set(settingsAtom, settingsOf({}, heightPx)),
  legal: (legal: NonNullable<ClientConfig['legal']>) =>
    store.set(settingsAtom, settingsOf({ legal }, undefined)),
  appearance: (appearance: NonNullable<ClientConfig['appearance']>) =>
    store.set(settingsAtom, settingsOf({ appearance }, undefined)),
}
declare global {
  var face: typeof handle
}
globalThis.face = handle
