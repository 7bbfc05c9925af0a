/** Sentences of boundary 2, for the document. Nothing that runs reads this. */
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
    parent: 'takes messages from its wallet frame only, and from the exact wallet origin',
    child:
      'takes messages from its parent window only, and from the exact dialog origin; refuses to start under any other chain of ancestors',
  },
  parent: { 'iframe:ready': { summary: 'The frame can serve calls.', errors: [] } },
  child: {
    'iframe:ready': call('iframe:ready', 'Answered when the frame can serve calls.'),
    'operation:begin': call(
      'operation:begin',
      'Makes a key pair in the vault for one operation. The server binds the wallet token of each step to its public half.',
    ),
    'operation:end': call('operation:end', 'The key pair of the operation goes; an unknown one is no error.'),
    'operation:state': call(
      'operation:state',
      'Has the vault sign that a step is of its own key, or of that of the window in which a key is shown: without that the server makes no token for it. The dialog sends the statement along, in the header `latchkey-device`, and can make none. Of a login it is signed with a new device key, to which the session of that login is then bound.',
    ),
    'device:file': call(
      'device:file',
      'The login that was stated in this operation was answered: its device key is kept for this user, in the place of the one before.',
    ),
    'confirm:offer': call(
      'confirm:offer',
      'Lets the page of confirmations that is opened with this handle ask the vault for a statement that approves this digest, once, within five minutes. The page belongs to the origin of the wallet, and stands in a window of its own.',
    ),
    'confirm:end': call('confirm:end', 'Takes that back.'),
    'recovery:ask': call(
      'recovery:ask',
      'Waits for the window that was opened with this handle: a page of the wallet origin, at the top, where the user types a password, where their passkey is asked, or which opens the sign-in of their cloud. Answered when they have given it: a secret goes to the vault alone, sealed, and what a cloud said to the frame alone. Asked again with the same handle, it summary what did not work, and waits for another try. A new passkey is registered with what comes along.',
    ),
    'recovery:confirm': call(
      'recovery:confirm',
      'Waits until the user has said in that window that what they gave is to keep this wallet, and answers the statement of the device that approves this digest.',
    ),
    'recovery:end': call('recovery:end', 'Nobody waits for that window any more.'),
    'export:begin': call(
      'export:begin',
      'Waits for the window that was opened with this handle: a page of the wallet origin, at the top, in which the user sees the key of this wallet. Answered with the key of the vault that this window has for itself.',
    ),
    'export:confirm': call(
      'export:confirm',
      'Waits until the user has pressed in that window to see the key of this wallet, and answers the statement of the device that approves this digest.',
    ),
    'export:closed': call('export:closed', 'Answered when that window is closed, or where there is none.'),
    'export:end': call('export:end', 'Nobody waits for that window any more: it shows nothing, and closes.'),
    'wallet:create': call(
      'wallet:create',
      'Makes a wallet, or tells the one that is there. Identical calls at once are one. `recoveryPin` is accepted and does nothing, here as in every call that has it.',
    ),
    'wallet:import': call(
      'wallet:import',
      'Makes a wallet of the key that the page for it holds, where the user has none yet. The vault of that page splits and seals; asked again for the address that is there already, it tells that one.',
    ),
    'wallet:connect': call('wallet:connect', 'Tells whether this device holds its share of the wallet.'),
    'wallet:recover': call(
      'wallet:recover',
      'Makes the share of this device from the other two, after the address was checked.',
    ),
    'wallet:set-recovery': call(
      'wallet:set-recovery',
      'Splits the wallet anew, so that its user keeps the share for recovery. Until the server summary that this is done, the old shares open; from then on, the new ones.',
    ),
    'wallet:rpc': call(
      'wallet:rpc',
      'Runs one request with the wallet. The share of the server is fetched for it, and nothing is kept.',
    ),
    'solana-wallet:create': call(
      'solana-wallet:create',
      'Makes a Solana wallet, or tells the one that is there. A user who has an Ethereum wallet gets none.',
    ),
    'solana-wallet:connect': call(
      'solana-wallet:connect',
      'Tells whether this device holds its share of the Solana wallet.',
    ),
    'solana-wallet:recover': call(
      'solana-wallet:recover',
      'Makes the share of this device from the other two, which the server has.',
    ),
    'solana-wallet:rpc': call(
      'solana-wallet:rpc',
      'Signs a message, whose UTF-8 is what is signed. Every other method is `not_supported`.',
    ),
    'mfa:verify': call(
      'mfa:verify',
      'Verifies the user for this operation. The frame keeps what that is worth for the next call of the same operation, which then needs no factor of its own.',
    ),
    'mfa:init-enrollment': call(
      'mfa:init-enrollment',
      'Begins to enrol a number, which a code is sent to, or an authenticator app, whose secret is shown. Begun again, it answers the same secret until the enrolment ends.',
    ),
    'mfa:submit-enrollment': call(
      'mfa:submit-enrollment',
      'Ends an enrolment with the code that came; a wrong one is `invalid_credentials`. Of passkeys: summary which ones verify from now on, none of them to remove the method.',
    ),
    'mfa:unenroll': call('mfa:unenroll', 'Removes the number or the authenticator app.'),
    'page:begin': call(
      'page:begin',
      'Finds the page of the wallet origin that the dialog frames, and tells the key of the vault that this page has for itself.',
    ),
    'page:key': call(
      'page:key',
      "Resolves with the address once the user has agreed to it on the import page, with a press that the page's gate counts. A key from the host page is passed along, sealed to the key of `page:begin`: `not_supported` unless the operator allowed it, `invalid_data` with a reason if it is no key.",
    ),
    'page:confirm': call(
      'page:confirm',
      "Answers the device's statement that approves this digest, if it is of the import of the address that the user agreed to; `invalid_data` otherwise.",
    ),
    'wallet:export': call(
      'wallet:export',
      'Has the share of the server released to the vault of the window in which the user approved the export, seals the share of this device to the same vault, and hands both over by a message between two windows of the wallet origin. The verification of the operation is done before, by `mfa:verify`.',
    ),
    'farcaster:init-signer': call(
      'farcaster:init-signer',
      'Tells the public key of the Farcaster signer, and what a phone opens to let it write; nothing to open where that was done.',
    ),
    'farcaster:sign': call(
      'farcaster:sign',
      'Signs the hash of a Farcaster message, 20 bytes, with the signer that the account has approved.',
    ),
    'mfa:clear': call('mfa:clear', 'Sent on logout: forgets what the frame holds of the second factor.'),
    'account:delete': call(
      'account:delete',
      'Has the server delete the user, and then takes the shares of their wallets from this device.',
    ),
  },
}
