/** A captcha stands in a page by this interface, whoever provides it. */

export type WidgetSettings = {
  siteKey: string
  appId: string
  language: string
}

export type WidgetResult =
  | { type: 'none yet' }
  /** It waits for something that only a person does, such as a tick. */
  | { type: 'asking' }
  | { type: 'passed'; token: string }
  | { type: 'failed' }

export type Widget = {
  /** Begins, or begins anew. */
  execute: () => void
  result: () => WidgetResult
  remove: () => void
}

export type Widgets = { open: (place: Element, settings: WidgetSettings) => Widget }
/** Loads the provider's script. One that did not come may be asked for again. */
export type LoadWidgets = (origin: string) => Promise<Widgets>
