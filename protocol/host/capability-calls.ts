/**
 * Calls that a capability of the dialog serves and few pages use. They cost a page nothing before they are used: the
 * loader's first file knows their names alone and sends them in one row of the contract, its second file knows what
 * they ask and answer, and the dialog learns both with the capability's own code.
 *
 * The file of a capability in `capabilities/` has two tables: one of its calls, which the dialog reads, and one of their
 * answers, which the loader reads.
 */
import * as v from 'valibot'
import type { crossAppAnswers, crossAppCalls } from '../capabilities/cross-app/host.ts'
import { type ethereumAnswers, type ethereumCalls, ethereumEvents } from '../capabilities/ethereum/host.ts'
import type { exportAnswers, exportCalls } from '../capabilities/export/host.ts'
import type { farcasterSignerAnswers, farcasterSignerCalls } from '../capabilities/farcaster-signer/host.ts'
import type { forkAnswers, forkCalls } from '../capabilities/fork.ts'
import type { fundingAnswers, fundingCalls } from '../capabilities/funding/host.ts'
import type { importAnswers, importCalls } from '../capabilities/import.ts'
import type { landingAnswers, landingCalls } from '../capabilities/landing.ts'
import type { linkingAnswers, linkingCalls } from '../capabilities/linking.ts'
import { type mfaAnswers, type mfaCalls, mfaEvents } from '../capabilities/mfa/host.ts'
import { oauthEvents } from '../capabilities/oauth/host.ts'
import type { recoveryAnswers, recoveryCalls } from '../capabilities/recovery/host.ts'
import type { sendAnswers, sendCalls } from '../capabilities/send.ts'
import type { signAnswers, signCalls } from '../capabilities/sign/host.ts'
import type { siweAnswers, siweCalls } from '../capabilities/siwe/host.ts'
import type { solanaAnswers, solanaCalls } from '../capabilities/solana.ts'
import type { walletCreateAnswers, walletCreateCalls } from '../capabilities/wallet-create.ts'
import type { Schema } from '../channel/contract.ts'

type Calls = typeof landingCalls &
  typeof crossAppCalls &
  typeof solanaCalls &
  typeof linkingCalls &
  typeof siweCalls &
  typeof walletCreateCalls &
  typeof signCalls &
  typeof mfaCalls &
  typeof sendCalls &
  typeof forkCalls &
  typeof recoveryCalls &
  typeof ethereumCalls &
  typeof exportCalls &
  typeof importCalls &
  typeof farcasterSignerCalls &
  typeof fundingCalls
type Answers = typeof landingAnswers &
  typeof crossAppAnswers &
  typeof solanaAnswers &
  typeof linkingAnswers &
  typeof siweAnswers &
  typeof walletCreateAnswers &
  typeof signAnswers &
  typeof mfaAnswers &
  typeof sendAnswers &
  typeof forkAnswers &
  typeof recoveryAnswers &
  typeof ethereumAnswers &
  typeof exportAnswers &
  typeof importAnswers &
  typeof farcasterSignerAnswers &
  typeof fundingAnswers

/** Does not compile while a call has no answer. */
export type MoreName = keyof Calls & keyof Answers
/** What a page says. */
export type MoreGiven<Name extends MoreName> = v.InferInput<Calls[Name]['input']>
/** What the dialog makes of it. */
export type MoreData<Name extends MoreName> = v.InferOutput<Calls[Name]['input']>
export type MoreAnswer<Name extends MoreName> = v.InferInput<Answers[Name]>
export type MoreResult<Name extends MoreName> = v.InferOutput<Answers[Name]>

/** What a capability tells a page beside the events that every page hears, by name. */
export const moreEvents = {
  ...oauthEvents,
  ...mfaEvents,
  ...ethereumEvents,
  /** The page has set a logo that the dialog may not load. */
  logo: v.object({}),
} as const satisfies Readonly<Record<string, Schema>>
type Events = typeof moreEvents
export type MoreEvent = {
  readonly [Name in keyof Events]: { readonly name: Name; readonly data: v.InferInput<Events[Name]> }
}[keyof Events]
