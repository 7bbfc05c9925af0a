/**
 * The approval texts, and their review in each language. They describe a request to the user, so a translation is frozen:
 * a test compares the hash. A language shows them in English until a native speaker has signed them off.
 */
import type { Language } from './languages.ts'

/** Catalogues, and groups of keys. Each is a whole screen, so that no screen mixes languages. */
export const approvalKeys: string[] = [
  'account-deletion.keep',
  'account-deletion.problems',
  'account-deletion.reading',
  'account-deletion.review',
  'account-deletion.steps',
  'approval',
  'batch',
  'dapp-connections',
  'delegation.change',
  'delegation.list',
  'delegation.network',
  'delegation.unknownNetwork',
  'export',
  'farcaster-signer',
  'protocol-reading',
  'send',
  'server-wallet-confirm-code',
  'sign',
  'wallet-frame-confirm',
  'wallet-frame-cross-app',
  'wallet-frame-export',
  'wallet-frame-recovery-window.cloud.approve',
  'wallet-frame-recovery-window.passkey.approve',
]

export type Review = {
  /** SHA-256 of the translations (`hashApprovalTexts`). */
  sha256: string
  state: 'awaiting review by a native speaker' | 'released before reviews' | 'signed off'
  /** The name of the native speaker, and the date. */
  signedOffBy?: string
}

export const reviews: { [tag: Language]: Review } = {
  ar: {
    sha256: 'a8e03307b3c9eb0f2add57eb8296eb7099208d11ee98ab864d42007773e73d16',
    state: 'released before reviews',
  },
  de: {
    sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    state: 'awaiting review by a native speaker',
  },
  es: {
    sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    state: 'awaiting review by a native speaker',
  },
  fr: {
    sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    state: 'awaiting review by a native speaker',
  },
  it: {
    sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    state: 'awaiting review by a native speaker',
  },
  ja: {
    sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    state: 'awaiting review by a native speaker',
  },
  ko: {
    sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    state: 'awaiting review by a native speaker',
  },
  nl: {
    sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    state: 'awaiting review by a native speaker',
  },
  pl: {
    sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    state: 'awaiting review by a native speaker',
  },
  'pt-BR': {
    sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    state: 'awaiting review by a native speaker',
  },
  tr: {
    sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    state: 'awaiting review by a native speaker',
  },
  'zh-CN': {
    sha256: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
    state: 'awaiting review by a native speaker',
  },
}
