/** Screens in example states, for the gallery and the browser tests. Not part of the shipped bundle. */
import type { ClientConfig } from '@latchkey/protocol'
import { createElement, type ReactNode } from 'react'
import type { LazyScreen } from '../app/screen.ts'
import type { ConfirmationHandlers } from '../approval/confirmed.ts'
import {
  type LoadableTexts,
  loadTogether,
  type ScreenOptions,
  type ShownElement,
  type ShownScreen,
  showElement,
  type Ways,
} from '../flow/screen.ts'
import type { Language } from '../i18n/languages.ts'
import type { AccountRowEntry } from './account.ts'

/** Receives the events of a picture. */
export type OnEvent = (name: string, values: readonly unknown[]) => void
export type Pictured<Shown> = (onEvent: OnEvent, language: Language) => Shown

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
  entry: Pictured<ShownElement>
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

/** Creates the props of a pictured view. */
type CreateProps<Props> = (
  press: (name: string, ...values: readonly unknown[]) => () => void,
  send: (name: string) => (value: unknown) => void,
) => Props

/** Creates handlers of an approval, which report their events. */
export const pictureHandlers = (
  ...[press, send]: Parameters<CreateProps<unknown>>
): ConfirmationHandlers => ({
  notice: send('notice'),
  pageOpened: send('pageOpened'),
  cancelPage: press('cancelPage'),
  explainPage: press('explainPage'),
})

/** Pictures an entry by the view that its component renders, without the services of the dialog. */
export const picturedEntry =
  <Props extends object>(
    texts: LoadableTexts,
    View: (props: Props) => ReactNode,
    createProps: CreateProps<Props>,
  ): Pictured<ShownElement> =>
  (onEvent) => {
    const props = createProps(
      (name, ...values) =>
        () =>
          onEvent(name, values),
      (name) => (value) => onEvent(name, [value]),
    )
    return showElement(createElement(View, props), texts)
  }

/** Pictures a screen by the view that its component renders, without the services of the dialog. */
export const picturedView =
  <Props extends object>(
    { name, texts, options }: Pick<LazyScreen<never>, 'name' | 'texts' | 'options'>,
    View: (props: Props) => ReactNode,
    createProps: CreateProps<Props>,
    ways: Ways = options.ways,
    words: (language: Language) => Partial<Pick<ScreenOptions, 'leaveWords' | 'infoWords'>> = () => ({}),
  ): Pictured<ShownScreen> =>
  (onEvent, language) => {
    const loadableTexts: LoadableTexts = {
      isLoaded: (language) => texts.loaded()?.isLoaded(language) === true,
      load: async (language) => (await texts.load()).load(language),
    }
    const { element } = picturedEntry(loadableTexts, View, createProps)(onEvent, language)
    return {
      ...options,
      ...words(language),
      ...loadableTexts,
      ways,
      waits: false,
      id: name,
      name,
      render: () => element,
    }
  }

/** Adds the texts of other capabilities to a pictured screen. */
export const withTexts = (screen: ShownScreen, others: readonly LoadableTexts[]): ShownScreen => ({
  ...screen,
  ...loadTogether([screen, ...others]),
})

/** Every picture of several capabilities. */
export function allPictures(capabilities: readonly Pictures[]): readonly Picture[] {
  const entries = capabilities.flatMap((each) => each.entries ?? [])
  const account = capabilities.flatMap((each) => each.account ?? [])
  return capabilities.flatMap(({ screens = [], around }) => [
    ...(around?.(entries, account) ?? []),
    ...screens,
  ])
}
