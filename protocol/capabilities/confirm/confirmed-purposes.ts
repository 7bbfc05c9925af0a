import type { WalletPurpose } from '../../vault/purposes.ts'
import type { ConfirmableRequest } from './account-actions.ts'

/** The token purpose of each request. A token for another purpose cannot use the confirmation. */
export const confirmedPurposes = {
  personal_sign: 'sign',
  eth_signTypedData_v4: 'sign',
  eth_signTransaction: 'sign',
  eth_signUserOperation: 'sign',
  eth_signAuthorization: 'set-delegate',
  signMessage: 'sign',
  solana_signTransaction: 'sign',
  export: 'export',
  import: 'import',
  'set-recovery': 'set-recovery',
  'delete-account': 'delete-account',
  'remove-method': 'mfa',
} as const satisfies Record<ConfirmableRequest['method'], WalletPurpose>
