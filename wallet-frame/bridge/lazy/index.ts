/** What is asked of a wallet once in its life or never: one file, which comes when it is. */
export { deleteAccount } from '../../account-deletion/delete-account.ts'
export { createExportWindows } from '../../export/windows.ts'
export { initSigner, signForFarcaster } from '../../farcaster-signer/signer-calls.ts'
export { createRecoveryWindows } from '../../recovery-window/windows.ts'
export { setRecovery } from './set-recovery.ts'
