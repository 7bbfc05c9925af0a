/**
 * A screen is a component with its texts, loaded when it is first opened. It may have a result.
 *
 * This file imports no React, so that functions that open screens can run in the core.
 */
import type { Catalogue } from '@latchkey/protocol/texts'
import type { ReactNode } from 'react'
import { type Loadable, loadable } from '../browser/loadable.ts'
import type { CardHandle, Flow } from '../flow/flow.ts'
import { defaultOptions, type LoadableTexts, type ScreenOptions } from '../flow/screen.ts'
import type { Language } from '../i18n/languages.ts'
import type { DialogServices } from './services.ts'

/** How a screen ends. Calls after its end have no effect. */
export type ScreenHandle<Result> = {
  resolve: (result: Result) => void
  reject: (error: unknown) => void
  /** Leaves without a result, as the back button does. */
  leave: () => void
}

/** The props of a screen that has a result. */
export type ScreenProps<Result, Props = object> = Props & { screen: ScreenHandle<Result> }
export type ScreenComponent<Props> = (props: Props) => ReactNode
/** The props that an opener passes. */
export type OpenProps<Props> = Omit<Props, 'screen'>
export type ScreenResult<Props> = Props extends { screen: ScreenHandle<infer Result> } ? Result : undefined

export type LazyScreen<Props> = {
  name: string
  component: Loadable<ScreenComponent<Props>>
  texts: Loadable<Catalogue<unknown>>
  /** Texts of other capabilities on this screen, which loads with them. */
  parts: (props: OpenProps<Props>) => readonly LoadableTexts[]
  /** The options before the first render. A component changes them with the hooks of `screen-options.ts`. */
  options: ScreenOptions
  /** Calls that wait for the card may open above this screen. */
  isUnderOthers: boolean
}

type Definition<Name extends string, Props> = Partial<ScreenOptions> & {
  name: Name
  isUnderOthers?: boolean
  parts?: (props: OpenProps<Props>) => readonly LoadableTexts[]
  component: () => Promise<ScreenComponent<Props>>
  texts: () => Promise<Catalogue<unknown>>
}

export const lazyScreen = <Name extends string, Props extends object>({
  name,
  component,
  texts,
  isUnderOthers = false,
  parts = () => [],
  ...options
}: Definition<Name, Props>): LazyScreen<Props> & { name: Name } => ({
  name,
  component: loadable(component),
  texts: loadable(texts),
  isUnderOthers,
  parts,
  options: { ...defaultOptions, ...options },
})

export const loadScreen = (
  { component, texts }: Pick<LazyScreen<never>, 'component' | 'texts'>,
  language: Language,
): Promise<unknown> =>
  Promise.all([component.load(), texts.load().then((catalogue) => catalogue.load(language))])

/** Opens screens above the screen that has this stack. */
export type ScreenStack = {
  /** Resolves with the result of the screen, or with undefined if the user left it. */
  open: <Props extends object>(
    screen: LazyScreen<Props>,
    props: OpenProps<Props>,
  ) => Promise<ScreenResult<Props> | undefined>
  /** Runs a call above this screen. Resolves with undefined if this screen is not in front. */
  run: <Outcome>(call: Flow<Outcome>) => Promise<Outcome | undefined>
}

/** The services of the dialog, and the stack that opens further screens. */
export type DialogContext = {
  services: DialogServices
  screens: ScreenStack
  /** Timers, interruptions and the abort signal of the call that has this screen. */
  handle: CardHandle
  /** Returns whether the call has not gone on to another screen. A call above this screen may cover it. */
  isCurrent: () => boolean
  /** Returns whether the user sees this screen, and none above it. */
  isInFront: () => boolean
}

/** A mounted screen, as its component receives it. */
export type LiveScreen = {
  Component: ScreenComponent<object>
  props: object
  texts: Catalogue<unknown>
  /** Undefined on a page without services. */
  context: DialogContext | undefined
  setOptions: (change: Partial<ScreenOptions>) => void
}
