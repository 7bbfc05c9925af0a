/** What a capability shows on the page of confirmations: a request, read anew there from what the server has. */
import { LatchkeyError } from '@latchkey/protocol'
import type { Clock } from '../ports.ts'
import type { ConfirmedEvents, ShownApproval } from './confirmed.ts'
import type { Handlers, ScreenToShow } from './screen.ts'
import type { Settings } from './settings.ts'

/** As the server has it. */
export type SubjectRecord = {
  readonly request: { readonly method: string; readonly params: readonly string[] }
  /** Null where the user has no wallet. */
  readonly address: string | null
  /** What they log in with, where the account itself is what it is about. */
  readonly account: string | null
  /** Of the page that asked. */
  readonly origin: string | null
  /** What it moves and costs at most, in dollars with cents, as far as the server knows. */
  readonly usd: string | null
}

/** Of what a wallet signs. */
export function walletOf({ address }: SubjectRecord): string {
  if (address !== null) return address
  throw new LatchkeyError('embedded_wallet_not_found', 'Nothing says which wallet is to sign')
}

export type SubjectPorts = {
  readonly clock: Clock
  readonly settings: () => Settings
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly signal: AbortSignal
}

export type SubjectStep =
  | { readonly status: 'review'; readonly shown: ShownApproval }
  /** What was pressed is on its way. */
  | { readonly status: 'deciding' }

export type Subject = {
  /** Made from what the screen shows, and from nothing else. */
  readonly digest: string
  readonly screen: (step: SubjectStep, handlers: Handlers<ConfirmedEvents>) => ScreenToShow
}

/** Rejects where the request can not be read to the letter, or what it would do can not be asked. */
export type ReadSubject = (record: SubjectRecord, ports: SubjectPorts) => Promise<Subject>
/** By the method of the request; each comes when it is asked for. */
export type Subjects = Readonly<Record<string, () => Promise<ReadSubject>>>
