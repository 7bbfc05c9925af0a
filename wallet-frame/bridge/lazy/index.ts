/** Rarely used calls, in one file that is loaded on demand. */
export { deleteAccount } from '../../account-deletion/delete-account.ts'
export { createExportWindows } from '../../export/windows.ts'
export { initSigner, signForFarcaster } from '../../farcaster-signer/signer-calls.ts'
export { createRecoveryWindows } from '../../recovery-window/windows.ts'
export { setRecovery } from './set-recovery.ts'
