/** Descriptions of boundary 2 for the documentation. Not used at run time. */
import type { ContractDoc } from '../channel/doc.ts'
import type { walletContract } from './calls.ts'
import { commonWalletErrors, walletCallErrors } from './errors.ts'

const call = (name: keyof typeof walletCallErrors, summary: string) => ({
  summary,
  errors: [...commonWalletErrors, ...walletCallErrors[name]],
})

export const walletDoc: ContractDoc<typeof walletContract> = {
  parties: { parent: 'dialog', child: 'wallet frame' },
  originRule: {
    parent: 'accepts messages from its wallet frame and the exact wallet origin only',
    child:
      'accepts messages from its parent window and the exact dialog origin only; refuses to start under any other chain of ancestors',
  },
  parent: { 'iframe:ready': { summary: 'Announces that the frame can serve calls.', errors: [] } },
  child: {
    'iframe:ready': call('iframe:ready', 'Resolves when the frame can serve calls.'),
    'operation:begin': call(
      'operation:begin',
      'Creates a key pair in the vault for one operation. The server binds the wallet token of each step to its public key.',
    ),
    'operation:end': call(
      'operation:end',
      'Deletes the key pair of the operation. An unknown operation is not an error.',
    ),
    'operation:state': call(
      'operation:state',
      "Has the vault sign a statement for a step, for its own operation key or for that of the export window. The server creates no wallet token without a statement. The dialog forwards it in the header `latchkey-device` and cannot create one. The statement of a login is signed with a new device key, which the login's session is bound to.",
    ),
    'device:file': call(
      'device:file',
      "Stores the device key of the login that this operation stated, after the login succeeded. It replaces the user's previous device key.",
    ),
    'confirm:offer': call(
      'confirm:offer',
      'Allows the confirmation page with this handle to request a statement that approves this digest, once, within five minutes. The page is a separate window of the wallet origin.',
    ),
    'confirm:end': call('confirm:end', 'Withdraws that offer.'),
    'recovery:ask': call(
      'recovery:ask',
      "Waits for the recovery window with this handle: a top-level page of the wallet origin where the user enters a password, uses their passkey, or opens their cloud's sign-in. Resolves when the user is done. A secret is sealed to the vault, and a cloud result goes to the wallet frame only. Called again with the same handle, it shows the problem and waits for another try. The attestation of a new passkey is returned, to be registered.",
    ),
    'recovery:confirm': call(
      'recovery:confirm',
      "Waits until the user confirms in that window that the secret becomes this wallet's recovery method. Returns the device statement that approves this digest.",
    ),
    'recovery:end': call('recovery:end', 'Ends the wait for that window.'),
    'export:begin': call(
      'export:begin',
      "Waits for the export window with this handle: a top-level page of the wallet origin in which the user sees the key of this wallet. Returns the public key of that window's own vault.",
    ),
    'export:confirm': call(
      'export:confirm',
      'Waits until the user approves in that window that the key is shown. Returns the device statement that approves this digest.',
    ),
    'export:closed': call('export:closed', 'Resolves when that window is closed, or if there is none.'),
    'export:end': call('export:end', 'Ends the wait for that window, which closes without showing anything.'),
    'wallet:create': call(
      'wallet:create',
      'Creates a wallet, or returns the existing one. Concurrent identical calls are merged. `recoveryPin` is accepted and ignored in every call.',
    ),
    'wallet:import': call(
      'wallet:import',
      "Creates a wallet from the key in the import page, for a user without a wallet. That page's vault splits and seals the key. Repeated for an address that is already imported, it returns that wallet.",
    ),
    'wallet:connect': call('wallet:connect', 'Checks that this device has its share of the wallet.'),
    'wallet:recover': call(
      'wallet:recover',
      'Recreates the share of this device from the other two, after checking the address.',
    ),
    'wallet:set-recovery': call(
      'wallet:set-recovery',
      'Splits the wallet again, so that the user keeps the recovery share. The old shares remain valid until the server commits the new ones.',
    ),
    'wallet:rpc': call(
      'wallet:rpc',
      "Runs one request with the wallet. It fetches the server's share for this request and stores nothing.",
    ),
    'solana-wallet:create': call(
      'solana-wallet:create',
      'Creates a Solana wallet, or returns the existing one. For a user with an Ethereum wallet, it derives and registers the Solana address of that wallet, if the app allows it.',
    ),
    'solana-wallet:connect': call(
      'solana-wallet:connect',
      'Checks that this device has its share of the Solana wallet.',
    ),
    'solana-wallet:recover': call(
      'solana-wallet:recover',
      'Recreates the share of this device from the other two, which the server stores.',
    ),
    'solana-wallet:rpc': call(
      'solana-wallet:rpc',
      'Signs the UTF-8 bytes of a message, or the message of a serialized transaction. Other methods are `not_supported`.',
    ),
    'mfa:verify': call(
      'mfa:verify',
      'Verifies the user for this operation. The frame keeps the verification for the next call of the same operation, which needs no second factor then.',
    ),
    'mfa:init-enrollment': call(
      'mfa:init-enrollment',
      'Starts the enrollment of a number, which receives a code, or of an authenticator app, whose secret is shown. A restart returns the same secret until the enrollment ends.',
    ),
    'mfa:submit-enrollment': call(
      'mfa:submit-enrollment',
      'Completes an enrollment with its code. A wrong code is `invalid_credentials`. For passkeys, sets the passkeys that verify the user; an empty list removes the method.',
    ),
    'mfa:unenroll': call('mfa:unenroll', 'Removes the number or the authenticator app.'),
    'page:begin': call(
      'page:begin',
      "Connects to the page of the wallet origin that the dialog frames, and returns the public key of the page's own vault.",
    ),
    'page:key': call(
      'page:key',
      "Resolves with the address when the user has agreed to it on the import page, with a press that the page's approval gate accepts. A key from the host page is forwarded, sealed to the key of `page:begin`. It is `not_supported` unless the operator allows it, and `invalid_data` with a reason if it is not a valid key.",
    ),
    'page:confirm': call(
      'page:confirm',
      'Returns the device statement that approves this digest if it is for the import of the agreed address. Otherwise `invalid_data`.',
    ),
    'wallet:export': call(
      'wallet:export',
      "Has the server release its share to the vault of the export window, seals this device's share to the same vault, and sends both in a message between two windows of the wallet origin. Requires a previous `mfa:verify` in this operation.",
    ),
    'farcaster:init-signer': call(
      'farcaster:init-signer',
      'Returns the public key of the Farcaster signer, and the URL that approves it on a phone. The URL is absent if the key is already approved.',
    ),
    'farcaster:sign': call(
      'farcaster:sign',
      'Signs the hash of a Farcaster message, 20 bytes, with the approved signer.',
    ),
    'mfa:clear': call('mfa:clear', "Forgets the frame's second-factor state on logout."),
    'account:delete': call(
      'account:delete',
      'Has the server delete the user, then removes their wallet shares from this device.',
    ),
  },
}
