/**
 * A screen is one record: its name, the type of its state and of its own events, the ways out that it offers, its
 * component, which loads when it is first shown. Whoever shows a screen gives the handlers of its events, and
 * nobody else ever sees them.
 *
 * A part is what a screen is without the card: a login method's entry on LANDING is one.
 */
// A type alone: the core runs without React.

import type { Catalogue } from '@latchkey/protocol/texts'
import type { ReactElement, ReactNode } from 'react'
import { type Loadable, loadable } from '../browser/loadable.ts'
import type { Language } from '../i18n/languages.ts'

/** What a screen can say, by name, and the values that come with it. */
export type Events = Readonly<Record<string, readonly unknown[]>>
export type NoEvents = Readonly<Record<never, never>>
export type Send<E extends Events> = <Name extends keyof E>(name: Name, ...values: E[Name]) => void
export type Handlers<E extends Events> = { [Name in keyof E]: (...values: E[Name]) => void }

export type PartProps<State, E extends Events> = { state: State; send: Send<E> }
export type PartComponent<State, E extends Events> = (props: PartProps<State, E>) => ReactNode

/** The texts come with the component, in the user's language, so that no screen is seen in two. */
export type Part<State, E extends Events> = {
  component: Loadable<PartComponent<State, E>>
  texts: Loadable<Catalogue<unknown>>
}

/** Which ways out are offered. Back also needs somewhere to go. */
export type Ways = { back: boolean; close: boolean }
export const everyWay: Ways = { back: true, close: true }
export const onlyClose: Ways = { back: false, close: true }
export const noWay: Ways = { back: false, close: false }

/** Asked before a key or a click beside the card, which may be a slip, throws work away. */
export type LeaveWords = {
  title: string
  detail: string
  stay: string
  leave: string
}

/** What a button in the header explains. */
export type InfoWords = { title: string; detail: string }

export type ScreenRecord<Name extends string, State, E extends Events> = Part<State, E> & {
  name: Name
  ways: (state: State) => Ways
  /** The question that leaving asks in this state, where it would lose work. */
  leaveWords: (state: State, language: Language) => LeaveWords | undefined
  infoWords: (state: State, language: Language) => InfoWords | undefined
  /** What stands on the screen that other capabilities brought. */
  parts: (state: State) => readonly LoadableTexts[]
  /** This state names what is waited for: one that is over before anybody could read it is never drawn. */
  waits: (state: State) => boolean
  /** The line that says what logging in agrees to. */
  showsLegal: boolean
}

/** What may be known of a screen whose types are not. */
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
  /** Of one among several that come, go and change their order. */
  key?: string
  state: unknown
  /** Hands over the component with the properties that fit it; undefined while it is not loaded. */
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

/** What another capability draws on a screen. */
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

/** What a flow hands to its handle; shown, its events count while it is the flow's present screen. */
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

/** A part that stands on somebody's screen: what it sends counts while that can be used. */
export const usablePart = <State, E extends Events>(
  part: Part<State, E>,
  state: State,
  handlers: Handlers<E>,
  isUsable: () => boolean,
): ShownPart => showPart(part, state, sendTo(handlers, isUsable))

/** Nothing is heard of what is pressed on a screen that is not the present one any more. */
export function sendTo<E extends Events>(handlers: Handlers<E>, isPresent: () => boolean): Send<E> {
  return (name, ...values) => {
    if (isPresent()) handlers[name](...values)
  }
}
