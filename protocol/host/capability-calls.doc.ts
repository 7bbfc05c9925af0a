/** Sentences and error codes of these calls, for the document. Nothing that runs reads this. */

import { crossAppDoc } from '../capabilities/cross-app/host.doc.ts'
import { crossAppAnswers, crossAppCalls } from '../capabilities/cross-app/host.ts'
import { ethereumDoc } from '../capabilities/ethereum/host.doc.ts'
import { ethereumAnswers, ethereumCalls } from '../capabilities/ethereum/host.ts'
import { exportDoc } from '../capabilities/export/host.doc.ts'
import { exportAnswers, exportCalls } from '../capabilities/export/host.ts'
import { farcasterSignerDoc } from '../capabilities/farcaster-signer/host.doc.ts'
import { farcasterSignerAnswers, farcasterSignerCalls } from '../capabilities/farcaster-signer/host.ts'
import { forkDoc } from '../capabilities/fork.doc.ts'
import { forkAnswers, forkCalls } from '../capabilities/fork.ts'
import { fundingDoc } from '../capabilities/funding/host.doc.ts'
import { fundingAnswers, fundingCalls } from '../capabilities/funding/host.ts'
import { importDoc } from '../capabilities/import.doc.ts'
import { importAnswers, importCalls } from '../capabilities/import.ts'
import { landingDoc } from '../capabilities/landing.doc.ts'
import { landingAnswers, landingCalls } from '../capabilities/landing.ts'
import { linkingDoc } from '../capabilities/linking.doc.ts'
import { linkingAnswers, linkingCalls } from '../capabilities/linking.ts'
import { mfaDoc } from '../capabilities/mfa/host.doc.ts'
import { mfaAnswers, mfaCalls } from '../capabilities/mfa/host.ts'
import { recoveryDoc } from '../capabilities/recovery/host.doc.ts'
import { recoveryAnswers, recoveryCalls } from '../capabilities/recovery/host.ts'
import { sendDoc } from '../capabilities/send.doc.ts'
import { sendAnswers, sendCalls } from '../capabilities/send.ts'
import { signDoc } from '../capabilities/sign/host.doc.ts'
import { signAnswers, signCalls } from '../capabilities/sign/host.ts'
import { siweDoc } from '../capabilities/siwe/host.doc.ts'
import { siweAnswers, siweCalls } from '../capabilities/siwe/host.ts'
import { solanaDoc } from '../capabilities/solana.doc.ts'
import { solanaAnswers, solanaCalls } from '../capabilities/solana.ts'
import { walletCreateDoc } from '../capabilities/wallet-create.doc.ts'
import { walletCreateAnswers, walletCreateCalls } from '../capabilities/wallet-create.ts'
import type { Schema } from '../channel/contract.ts'
import type { CallDoc } from '../channel/doc.ts'
import type { MoreRows } from '../rows/host-call.ts'

type Capability = {
  readonly name: string
  readonly calls: MoreRows
  readonly answers: Readonly<Record<string, Schema>>
  readonly doc: Readonly<Record<string, CallDoc>>
}

export const moreDoc: readonly Capability[] = [
  { name: 'fork', calls: forkCalls, answers: forkAnswers, doc: forkDoc },
  { name: 'wallet-create', calls: walletCreateCalls, answers: walletCreateAnswers, doc: walletCreateDoc },
  { name: 'recovery', calls: recoveryCalls, answers: recoveryAnswers, doc: recoveryDoc },
  { name: 'export', calls: exportCalls, answers: exportAnswers, doc: exportDoc },
  { name: 'import', calls: importCalls, answers: importAnswers, doc: importDoc },
  {
    name: 'farcaster-signer',
    calls: farcasterSignerCalls,
    answers: farcasterSignerAnswers,
    doc: farcasterSignerDoc,
  },
  { name: 'funding', calls: fundingCalls, answers: fundingAnswers, doc: fundingDoc },
  { name: 'sign', calls: signCalls, answers: signAnswers, doc: signDoc },
  { name: 'solana', calls: solanaCalls, answers: solanaAnswers, doc: solanaDoc },
  { name: 'landing', calls: landingCalls, answers: landingAnswers, doc: landingDoc },
  { name: 'send', calls: sendCalls, answers: sendAnswers, doc: sendDoc },
  { name: 'ethereum', calls: ethereumCalls, answers: ethereumAnswers, doc: ethereumDoc },
  { name: 'cross-app', calls: crossAppCalls, answers: crossAppAnswers, doc: crossAppDoc },
  { name: 'linking', calls: linkingCalls, answers: linkingAnswers, doc: linkingDoc },
  { name: 'mfa', calls: mfaCalls, answers: mfaAnswers, doc: mfaDoc },
  { name: 'siwe', calls: siweCalls, answers: siweAnswers, doc: siweDoc },
]
