import type { CapabilityCall } from '../calls/row.ts'
import type { SecondFileForFrame } from '../frame/second-file.ts'
import type { ClientConfig } from '../types/published.ts'
import type { PageWithProvider } from './page.ts'

/** What the page has set, as the client holds it. */
export type SettingsOfPage = {
  configure: (config: ClientConfig) => Promise<void>
  config: () => ClientConfig
}

/** What few pages need, loaded when it is first used: what calls ask and answer, events, the provider's methods. */
export type SecondFile = SecondFileForFrame & {
  /** What a call of a handle asks of the dialog. */
  callOf(name: string, args: readonly unknown[]): CapabilityCall | Promise<CapabilityCall>
  readAnswer(name: string, answer: unknown, page: PageWithProvider): unknown
  receiveEvent(event: { name: string; data: unknown }, page: PageWithProvider, settings: SettingsOfPage): void
  serveProvider(page: PageWithProvider): void
}
export type LoadSecondFile = () => Promise<SecondFile>
