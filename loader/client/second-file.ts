import type { CapabilityCall } from '../calls/row.ts'
import type { SecondFileForFrame } from '../frame/second-file.ts'
import type { ClientConfig } from '../types/published.ts'
import type { PageWithProvider } from './page.ts'

/** Access to the page's configuration. */
export type PageSettings = {
  configure: (config: ClientConfig) => Promise<void>
  config: () => ClientConfig
}

/** The code that few pages need, loaded on first use: call messages, events and provider methods. */
export type SecondFile = SecondFileForFrame & {
  /** Creates the dialog request of a handle's call. */
  createCall(name: string, args: readonly unknown[]): CapabilityCall | Promise<CapabilityCall>
  readAnswer(name: string, answer: unknown, page: PageWithProvider): unknown
  receiveEvent(event: { name: string; data: unknown }, page: PageWithProvider, settings: PageSettings): void
  serveProvider(page: PageWithProvider): void
}
export type LoadSecondFile = () => Promise<SecondFile>
