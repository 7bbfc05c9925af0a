/** A captcha stands in a page by this interface, whoever provides it. */

export type WidgetSettings = {
  readonly siteKey: string
  readonly appId: string
  readonly language: string
}

export type WidgetResult =
  | { readonly type: 'none yet' }
  /** It waits for something that only a person does, such as a tick. */
  | { readonly type: 'asking' }
  | { readonly type: 'passed'; readonly token: string }
  | { readonly type: 'failed' }

export type Widget = {
  /** Begins, or begins anew. */
  readonly execute: () => void
  readonly result: () => WidgetResult
  readonly remove: () => void
}

export type Widgets = { readonly open: (place: Element, settings: WidgetSettings) => Widget }
/** Loads the provider's script. One that did not come may be asked for again. */
export type LoadWidgets = (origin: string) => Promise<Widgets>
