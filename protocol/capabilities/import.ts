/** Import of a private key or seed phrase. */
import * as v from 'valibot'
import { text } from '../entities/primitives.ts'
import type { HostCallDoc, HostCallRows } from '../rows/host-call.ts'
import { lenientWallet } from '../rows/lenient.ts'

export const importCalls = {
  importWallet: {
    policy: 'needs-user',
    /** If the key is omitted, the user types it on a page that the host cannot read. */
    input: v.object({ privateKey: v.exactOptional(text) }),
  },
} as const satisfies HostCallRows

export const importAnswers = { importWallet: v.object({ wallet: lenientWallet }) } as const

export const importDoc: HostCallDoc<typeof importCalls> = {
  importWallet: {
    summary:
      "Opens the dialog in which the user imports a private key or a seed phrase as their wallet. They type it on a page that neither the host page nor the dialog can read, and see the address before the import. A seed phrase has 12 to 24 words of any BIP-39 language, an optional passphrase, and ten accounts to choose from (`m/44'/60'/0'/0/0` to `9`). The wallet stores the key of that account, not the phrase. A `privateKey` from the host page is `not_supported` unless the operator allows it (`embedded_wallet_config.host_key_import`).",
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
