/** The interface between the captcha screen and a captcha provider. */

export type WidgetSettings = {
  siteKey: string
  appId: string
  language: string
}

export type WidgetResult =
  | { type: 'none yet' }
  /** The widget waits for the user, for example for a tick. */
  | { type: 'asking' }
  | { type: 'passed'; token: string }
  | { type: 'failed' }

export type Widget = {
  /** Starts, or restarts. */
  execute: () => void
  result: () => WidgetResult
  remove: () => void
}

export type Widgets = { open: (place: Element, settings: WidgetSettings) => Widget }
/** Loads the provider's script. After a failure it can be loaded again. */
export type LoadWidgets = (origin: string) => Promise<Widgets>
