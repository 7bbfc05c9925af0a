/** Sentences and error codes of these calls, for the document. Nothing that runs reads this. */
import type { Schema } from '../../channel/contract.ts'
import type { CallDoc } from '../../channel/doc.ts'
import { crossAppDoc } from './cross-app.doc.ts'
import { crossAppAnswers, crossAppCalls } from './cross-app.ts'
import { ethereumDoc } from './ethereum.doc.ts'
import { ethereumAnswers, ethereumCalls } from './ethereum.ts'
import { exportDoc } from './export.doc.ts'
import { exportAnswers, exportCalls } from './export.ts'
import { farcasterSignerDoc } from './farcaster-signer.doc.ts'
import { farcasterSignerAnswers, farcasterSignerCalls } from './farcaster-signer.ts'
import { forkDoc } from './fork.doc.ts'
import { forkAnswers, forkCalls } from './fork.ts'
import { fundingDoc } from './funding.doc.ts'
import { fundingAnswers, fundingCalls } from './funding.ts'
import { importDoc } from './import.doc.ts'
import { importAnswers, importCalls } from './import.ts'
import { landingDoc } from './landing.doc.ts'
import { landingAnswers, landingCalls } from './landing.ts'
import { linkingDoc } from './linking.doc.ts'
import { linkingAnswers, linkingCalls } from './linking.ts'
import { mfaDoc } from './mfa.doc.ts'
import { mfaAnswers, mfaCalls } from './mfa.ts'
import { recoveryDoc } from './recovery.doc.ts'
import { recoveryAnswers, recoveryCalls } from './recovery.ts'
import type { MoreRows } from './row.ts'
import { sendDoc } from './send.doc.ts'
import { sendAnswers, sendCalls } from './send.ts'
import { signDoc } from './sign.doc.ts'
import { signAnswers, signCalls } from './sign.ts'
import { siweDoc } from './siwe.doc.ts'
import { siweAnswers, siweCalls } from './siwe.ts'
import { solanaDoc } from './solana.doc.ts'
import { solanaAnswers, solanaCalls } from './solana.ts'
import { walletCreateDoc } from './wallet-create.doc.ts'
import { walletCreateAnswers, walletCreateCalls } from './wallet-create.ts'

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
