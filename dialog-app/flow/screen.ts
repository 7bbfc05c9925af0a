/**
 * A screen is one record: its name, the types of its state and events, its ways out, and its component, which loads
 * when it is first shown. Only the flow that shows a screen handles its events.
 *
 * A part is a screen without the card, for example the entry of a login method on LANDING.
 */
// Only types are imported from React: the core runs without it.

import type { Catalogue } from '@latchkey/protocol/texts'
import type { ReactElement, ReactNode } from 'react'
import { type Loadable, loadable } from '../browser/loadable.ts'
import type { Language } from '../i18n/languages.ts'

/** The events of a screen by name, with the types of their values. */
export type Events = Readonly<Record<string, readonly unknown[]>>
export type NoEvents = Readonly<Record<never, never>>
export type Send<E extends Events> = <Name extends keyof E>(name: Name, ...values: E[Name]) => void
export type Handlers<E extends Events> = { [Name in keyof E]: (...values: E[Name]) => void }

export type PartProps<State, E extends Events> = { state: State; send: Send<E> }
export type PartComponent<State, E extends Events> = (props: PartProps<State, E>) => ReactNode

/** A component with its texts. Both load together, so that no screen mixes two languages. */
export type Part<State, E extends Events> = {
  component: Loadable<PartComponent<State, E>>
  texts: Loadable<Catalogue<unknown>>
}

/** The ways out that a screen offers. Back also requires a previous screen. */
export type Ways = { back: boolean; close: boolean }
export const everyWay: Ways = { back: true, close: true }
export const onlyClose: Ways = { back: false, close: true }
export const noWay: Ways = { back: false, close: false }

/** Texts of the confirmation before an accidental key or click beside the card discards input. */
export type LeaveWords = {
  title: string
  detail: string
  stay: string
  leave: string
}

/** Texts of the info button in the header. */
export type InfoWords = { title: string; detail: string }

export type ScreenRecord<Name extends string, State, E extends Events> = Part<State, E> & {
  name: Name
  ways: (state: State) => Ways
  /** Returns the texts of the leave confirmation, if leaving in this state discards input. */
  leaveWords: (state: State, language: Language) => LeaveWords | undefined
  infoWords: (state: State, language: Language) => InfoWords | undefined
  /** Returns the content of other capabilities on this screen. */
  parts: (state: State) => readonly LoadableTexts[]
  /** Returns whether this state shows a wait. A short wait is never drawn. */
  waits: (state: State) => boolean
  /** Whether the screen shows the consent line with the terms and the privacy policy. */
  showsLegal: boolean
}

/** A screen with unknown state and events. */
export type AnyScreen = {
  name: string
  component: Loadable<unknown>
  texts: Loadable<Catalogue<unknown>>
}

type PartDefinition<State, E extends Events, Texts> = {
  component: () => Promise<PartComponent<State, E>>
  texts: () => Promise<Catalogue<Texts>>
}

export const definePart = <State, E extends Events, Texts>({
  component,
  texts,
}: PartDefinition<State, E, Texts>): Part<State, E> => ({
  component: loadable(component),
  texts: loadable(texts),
})

type ScreenDefinition<Name extends string, State, E extends Events, Texts> = PartDefinition<State, E, Texts> &
  Pick<ScreenRecord<Name, State, E>, 'name' | 'ways'> &
  Partial<Pick<ScreenRecord<Name, State, E>, 'parts' | 'waits' | 'showsLegal'>> & {
    askBeforeLeaving?: (state: State, texts: Texts) => LeaveWords | undefined
    explain?: (state: State, texts: Texts) => InfoWords | undefined
  }

export function defineScreen<Name extends string, State, E extends Events, Texts>(
  definition: ScreenDefinition<Name, State, E, Texts>,
): ScreenRecord<Name, State, E> {
  const { name, ways, askBeforeLeaving, explain, parts = () => [] } = definition
  const { waits = () => false, showsLegal = false } = definition
  const texts = loadable(definition.texts)
  const wordsIn = (language: Language) => texts.loaded()?.in(language)
  return {
    component: loadable(definition.component),
    texts,
    name,
    ways,
    leaveWords(state, language) {
      const words = wordsIn(language)
      return words && askBeforeLeaving?.(state, words)
    },
    infoWords(state, language) {
      const words = wordsIn(language)
      return words && explain?.(state, words)
    },
    parts,
    waits,
    showsLegal,
  }
}

/** Texts, and the code that shows them. */
export type LoadableTexts = {
  isLoaded: (language: Language) => boolean
  load: (language: Language) => Promise<unknown>
}

export const loadTogether = (all: readonly LoadableTexts[]): LoadableTexts => ({
  isLoaded: (language) => all.every((each) => each.isLoaded(language)),
  load: (language) => Promise.all(all.map((each) => each.load(language))),
})

/** A part with its state, as a card draws it. */
export type ShownPart = LoadableTexts & {
  /** The React key, for a part in a list that changes. */
  key?: string
  state: unknown
  /** Calls `draw` with the component and its props. Returns undefined while the component is not loaded. */
  draw: <Drawn>(draw: Draw<Drawn>) => Drawn | undefined
}
export type Draw<Drawn> = <State, E extends Events>(
  component: PartComponent<State, E>,
  props: PartProps<State, E>,
) => Drawn

/** A component with its texts, for a screen of another capability. */
export type ShownElement = LoadableTexts & {
  key?: string
  element: ReactElement
}

export const showElement = (element: ReactElement, { isLoaded, load }: LoadableTexts): ShownElement => ({
  element,
  isLoaded,
  load,
})

/** Content of another capability on a screen. */
export type ShownEntry = ShownElement | ShownPart

export type ShownScreen = ShownPart & {
  name: string
  /** Identifies a component that stays mounted while other screens cover it. */
  id?: string
  ways: Ways
  leaveWords: (language: Language) => LeaveWords | undefined
  infoWords: (language: Language) => InfoWords | undefined
  waits: boolean
  showsLegal: boolean
}

export const loadPart = (
  { component, texts }: Pick<AnyScreen, 'component' | 'texts'>,
  language: Language,
): Promise<unknown> =>
  Promise.all([component.load(), texts.load().then((catalogue) => catalogue.load(language))])

export function showPart<State, E extends Events>(
  { component, texts }: Part<State, E>,
  state: State,
  send: Send<E>,
): ShownPart {
  return {
    state,
    isLoaded: (language) => component.loaded() !== undefined && texts.loaded()?.isLoaded(language) === true,
    load: (language) => loadPart({ component, texts }, language),
    draw(draw) {
      const drawn = component.loaded()
      return drawn && draw(drawn, { state, send })
    },
  }
}

export function showScreen<State, E extends Events>(
  record: ScreenRecord<string, State, E>,
  state: State,
  send: Send<E>,
): ShownScreen {
  const part = showPart(record, state, send)
  return {
    ...part,
    ...loadTogether([part, ...record.parts(state)]),
    name: record.name,
    ways: record.ways(state),
    leaveWords: (language) => record.leaveWords(state, language),
    infoWords: (language) => record.infoWords(state, language),
    waits: record.waits(state),
    showsLegal: record.showsLegal,
  }
}

/** A screen for a flow to show. Its events have an effect only while it is the flow's present screen. */
export type ScreenToShow = {
  name: string
  id?: string
  show: (isPresent: () => boolean) => ShownScreen
}

export const screen = <State, E extends Events>(
  record: ScreenRecord<string, State, E>,
  state: State,
  handlers: Handlers<E>,
): ScreenToShow => ({
  name: record.name,
  show: (isPresent) => showScreen(record, state, sendTo(handlers, isPresent)),
})

/** Creates a part of a screen. Its events have an effect only while that screen is usable. */
export const usablePart = <State, E extends Events>(
  part: Part<State, E>,
  state: State,
  handlers: Handlers<E>,
  isUsable: () => boolean,
): ShownPart => showPart(part, state, sendTo(handlers, isUsable))

/** Ignores events of a screen that is no longer present. */
export function sendTo<E extends Events>(handlers: Handlers<E>, isPresent: () => boolean): Send<E> {
  return (name, ...values) => {
    if (isPresent()) handlers[name](...values)
  }
}
