/** A screen as the stage and the card know it, and content of other capabilities on a screen. */
// Only types are imported from React: the core runs without it.

import type { ReactElement, ReactNode } from 'react'
import type { Language } from '../i18n/languages.ts'

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

/** Options of the card for a screen. */
export type ScreenOptions = {
  ways: Ways
  /** The screen only shows progress. The previous screen stays visible for 150 ms. */
  waits: boolean
  leaveWords?: LeaveWords | undefined
  infoWords?: InfoWords | undefined
  /** The footer names the terms that a login agrees to. */
  showsLegal: boolean
}

export const defaultOptions: ScreenOptions = { ways: everyWay, waits: false, showsLegal: false }

/** Texts, and the code that shows them. */
export type LoadableTexts = {
  isLoaded: (language: Language) => boolean
  load: (language: Language) => Promise<unknown>
}

export const loadTogether = (all: readonly LoadableTexts[]): LoadableTexts => ({
  isLoaded: (language) => all.every((each) => each.isLoaded(language)),
  load: (language) => Promise.all(all.map((each) => each.load(language))),
})

/** A component with its texts, for a screen of another capability. */
export type ShownElement = LoadableTexts & {
  /** The React key, for an element in a list that changes. */
  key?: string
  element: ReactElement
}

export const showElement = (element: ReactElement, { isLoaded, load }: LoadableTexts): ShownElement => ({
  element,
  isLoaded,
  load,
})

/** A screen with its present options. Screens of one name differ by their ids. */
export type ShownScreen = LoadableTexts &
  ScreenOptions & {
    name: string
    id: string
    /** Called once the screen has loaded. */
    render: () => ReactNode
  }
