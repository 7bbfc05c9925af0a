import type { MoreDoc } from '../rows/host-call.ts'
import type { importCalls } from './import.ts'

export const importDoc: MoreDoc<typeof importCalls> = {
  importWallet: {
    says: 'Opens the dialog in which the user makes a private key of theirs their wallet. They type it on a page that neither this page nor the dialog can read, and see its address before it is imported. A `privateKey` that this page brings is `not_supported` unless the operator allowed it (`embedded_wallet_config.host_key_import`).',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_already_exists',
      'embedded_wallet_recovery_already_exists',
      'linked_to_another_user',
      'disallowed_recovery_method',
      'not_supported',
      'invalid_data',
      'user_rejected_request',
      'unknown_embedded_wallet_error',
    ],
  },
}
