/** Screens in example states, for the gallery and the browser tests. Not part of the shipped bundle. */
import type { ClientConfig } from '@latchkey/protocol'
import type { ReactNode } from 'react'
import type { LazyScreen } from '../app/screen.ts'
import {
  type Events,
  type LoadableTexts,
  loadTogether,
  type Part,
  type PartProps,
  type ScreenRecord,
  type Send,
  type ShownEntry,
  type ShownPart,
  type ShownScreen,
  showPart,
  showScreen,
  type Ways,
} from '../flow/screen.ts'
import type { AccountRowEntry } from './account.ts'

/** Receives the events of a picture. */
export type OnEvent = (name: string, values: readonly unknown[]) => void
export type Pictured<Shown> = (onEvent: OnEvent) => Shown

export type Picture = {
  caption: string
  screen: Pictured<ShownScreen>
  /** Whether the header shows a way back. */
  canGoBack?: boolean
  config?: ClientConfig
  standalone?: boolean
  /** Text to type into the fields while the screen is in the state of `into`. */
  typed?: { text: string; into: Pictured<ShownScreen> }
}

/** A login method's entry. Entries without a caption are shown together on LANDING. */
export type EntryPicture = {
  caption?: string
  entry: Pictured<ShownEntry>
  config?: ClientConfig
}

export type AccountPicture = AccountRowEntry['Row']

/** The `pictures` export of a capability's `gallery.ts`. */
export type Pictures = {
  screens?: readonly Picture[]
  entries?: readonly EntryPicture[]
  /** The rows of account entries. */
  account?: readonly AccountPicture[]
  /** Creates screens that contain the entries of other capabilities or the rows of an account. */
  around?: (entries: readonly EntryPicture[], account: readonly AccountPicture[]) => readonly Picture[]
}

const sendingTo =
  <E extends Events>(onEvent: OnEvent): Send<E> =>
  (name, ...values) =>
    onEvent(String(name), values)

export const pictured =
  <State, E extends Events>(record: ScreenRecord<string, State, E>, state: State): Pictured<ShownScreen> =>
  (onEvent) =>
    showScreen(record, state, sendingTo<E>(onEvent))

/** Creates the props of a pictured view. Events go to `OnEvent`, unless the screen is over. */
type CreateProps<Props> = (
  press: (name: string, ...values: readonly unknown[]) => () => void,
  send: (name: string) => (value: unknown) => void,
) => Props
type ViewState<Props extends object> = { View: (props: Props) => ReactNode; createProps: CreateProps<Props> }

const DrawnView = <Props extends object>({ state, send }: PartProps<ViewState<Props>, Events>) =>
  state.View(
    state.createProps(
      (name, ...values) =>
        () =>
          send(name, ...values),
      (name) => (value) => send(name, value),
    ),
  )

/** Pictures an entry by the view that its component renders, without the services of the dialog. */
export const picturedEntry =
  <Props extends object>(
    { isLoaded, load }: LoadableTexts,
    View: (props: Props) => ReactNode,
    createProps: CreateProps<Props>,
  ): Pictured<ShownPart> =>
  (onEvent) => {
    const state = { View, createProps }
    return {
      state,
      isLoaded,
      load,
      draw: (draw) => draw(DrawnView<Props>, { state, send: sendingTo(onEvent) }),
    }
  }

/** Pictures a screen by the view that its component renders, without the services of the dialog. */
export const picturedView =
  <Props extends object>(
    { name, texts, options }: Pick<LazyScreen<never>, 'name' | 'texts' | 'options'>,
    View: (props: Props) => ReactNode,
    createProps: CreateProps<Props>,
    ways: Ways = options.ways,
    leaveWords: ShownScreen['leaveWords'] = () => undefined,
    infoWords: ShownScreen['infoWords'] = () => undefined,
  ): Pictured<ShownScreen> =>
  (onEvent) => {
    const loadableTexts: LoadableTexts = {
      isLoaded: (language) => texts.loaded()?.isLoaded(language) === true,
      load: async (language) => (await texts.load()).load(language),
    }
    return {
      ...picturedEntry(loadableTexts, View, createProps)(onEvent),
      name,
      ways,
      waits: false,
      showsLegal: options.showsLegal,
      leaveWords,
      infoWords,
    }
  }

/** Adds the texts of other capabilities to a pictured screen. */
export const withTexts = (screen: ShownScreen, others: readonly LoadableTexts[]): ShownScreen => ({
  ...screen,
  ...loadTogether([screen, ...others]),
})

export const picturedPart =
  <State, E extends Events>(part: Part<State, E>, state: State): Pictured<ShownPart> =>
  (onEvent) =>
    showPart(part, state, sendingTo<E>(onEvent))

/** Every picture of several capabilities. */
export function allPictures(capabilities: readonly Pictures[]): readonly Picture[] {
  const entries = capabilities.flatMap((each) => each.entries ?? [])
  const account = capabilities.flatMap((each) => each.account ?? [])
  return capabilities.flatMap(({ screens = [], around }) => [
    ...(around?.(entries, account) ?? []),
    ...screens,
  ])
}
