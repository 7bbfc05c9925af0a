/**
 * The complete texts of the specification, each on its screen. Login errors appear on several screens, so
 * `error-catalogue.test.tsx` tests them.
 */
import { describe, expect, test } from 'vitest'
import { pictures } from '../gallery/pictures.ts'
import { type ReadTexts, readTexts } from '../testing/read-texts.ts'

type Part = keyof ReadTexts
type Row = readonly [caption: string, part: Part, text: string]

const ways: readonly Row[] = [
  // spec L2.21
  ['Landing, passkey', 'buttons', 'I have a passkey'],
  ['Landing, no wallet', 'texts', 'Continue with a wallet'],
  ['Landing, what a button leads to is on its way', 'texts', 'Other socials'],
  ['Code', 'buttons', 'Resend code'],
  ['Code, sent anew', 'texts', 'Code sent'],
  // spec L2.30
  ['Farcaster, on a phone', 'buttons', 'Take me to Warpcast'],
  ['Farcaster signer, on a phone', 'buttons', 'Take me to Warpcast'],
  // spec L2.33, L2.34
  ['Consent', 'title', 'One last step'],
  ['Consent', 'texts', 'By signing up, you agree to our terms and privacy policy.'],
  ['Consent', 'buttons', 'View Terms'],
  ['Consent', 'buttons', 'View Privacy Policy'],
  ['Consent', 'buttons', 'No thanks'],
  ['Consent', 'buttons', 'Accept'],
  // spec L2.36
  ['Allowlist', 'title', "You don't have access to this app"],
  ['Allowlist', 'texts', 'Have you been invited?'],
  ['Allowlist', 'buttons', 'Try another account'],
  // spec L2.38, L2.39
  ['Account not found', 'title', 'Account not found'],
  ['User limit', 'title', 'Unable to sign in'],
  ['Wallet, gave up', 'title', 'Could not connect with wallet'],
  ['Wallet, gave up', 'buttons', 'Try again'],
  ['Wallet, gave up', 'buttons', 'Cancel'],
  ['In-app browser', 'title', 'Could not log in with provider'],
  ['Connect a wallet, for a visitor', 'texts', 'Connect'],
  ['Wallet, install', 'texts', 'Install the MetaMask extension.'],
  ['Wallet, install', 'texts', 'Create a wallet, or import one that you already have.'],
  ['Wallet, install', 'texts', 'Save the recovery phrase where nobody else can find it.'],
  ['Wallet, install', 'texts', 'Reload this page.'],
  // spec L4.29
  ['Wallet, connecting', 'title', 'Waiting for MetaMask'],
  ['Wallet, switching networks', 'title', 'Switching networks'],
  ['Wallet, sign', 'title', 'Sign to verify'],
  ['Wallet, signing', 'title', 'Signing'],
  ['Wallet, success', 'title', 'Successfully connected'],
  ['Wallet, failed again', 'title', 'Unable to connect wallet'],
  ['Wallet, exists', 'buttons', 'Use a different wallet'],
  ['Passkey added', 'title', 'Passkey added'],
  ['Your passkeys, three', 'title', 'Your passkeys'],
  ['Your passkeys, three', 'buttons', 'View all'],
]

const verification: readonly Row[] = [
  // spec L2.58
  ['Transaction Protection', 'title', 'Transaction Protection'],
  ['Verification methods, some added', 'texts', 'Added'],
  ['Verification methods, none yet', 'texts', 'Authenticator App'],
  ['Verification methods, none yet', 'texts', 'Recommended'],
  ['Verification methods, none yet', 'texts', 'SMS'],
  ['Verification methods, none yet', 'texts', 'Passkey'],
  ['Verification methods, login by SMS', 'texts', 'Disabled'],
  [
    'Verification methods, some added',
    'texts',
    'To add or delete verification methods, verification is required.',
  ],
  // spec L2.62
  ['SMS verification, number', 'title', 'Set up SMS verification'],
  ['Enrollment code, message', 'title', 'Enter enrollment code'],
  ['Added, sms', 'title', 'SMS verification added'],
  ['TOTP, scan', 'title', 'Scan QR code'],
  ['TOTP, scan', 'buttons', 'Continue'],
  // spec L2.64
  ['Enrollment code, app', 'title', 'Enter enrollment code'],
  ['Added, totp', 'title', 'Authenticator app verification added'],
  // spec L2.65, L2.66
  ['Passkey verification, none yet', 'title', 'Set up passkey verification'],
  ['Passkey verification, none yet', 'buttons', 'Add a new passkey'],
  ['Passkey verification, three', 'buttons', 'Enable your passkeys for verification'],
  ['Added, passkey', 'title', 'Passkey verification added'],
  // spec L2.67, L2.68, L2.69
  ['Verify, choose', 'title', 'Verify your identity'],
  ['Verify, choose', 'buttons', 'Not now'],
  ['Verify, app', 'title', 'Enter verification code'],
  ['Verify, app', 'buttons', 'Choose another method'],
  ['Verify, app', 'buttons', 'Not now'],
  ['Verify by passkey, waiting', 'title', 'Verifying with passkey'],
  ['Verify by passkey, no answer', 'buttons', 'Try again'],
  // spec L8.42
  [
    'Verify, too often',
    'texts',
    'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.',
  ],
  // spec L8.43, L8.44, L8.45
  ['Verify, wrong', 'texts', 'The code you entered is not valid'],
  ['Enrollment code, app, wrong', 'texts', 'The code you entered is not valid'],
  [
    'Verify, too late',
    'texts',
    'You have exceeded the time limit for code entry. Please try again in 30 seconds.',
  ],
  ['Remove totp, not verified', 'texts', 'Verification canceled'],
  // spec L8.46, L8.47
  ['Verification methods, failed', 'texts', 'Unknown error'],
  ['Verify, message not sent', 'texts', 'Something went wrong.'],
  // spec L8.49
  ['Verify by passkey, no answer', 'texts', 'something went wrong'],
  ['Passkey verification, adding one more', 'texts', 'Unknown device'],
]

const errors: readonly Row[] = [
  // spec L8.26
  ['Farcaster signer, internal_error', 'title', 'Connect failed'],
  ['Farcaster signer, internal_error', 'texts', 'Something went wrong. Please try again.'],
  // spec L8.27
  ['Farcaster signer, user_rejected_request', 'title', 'Request rejected'],
  ['Farcaster signer, user_rejected_request', 'texts', 'The request was rejected. Please try again.'],
  ['Unlink, a second factor', 'texts', 'Cannot unlink a passkey enrolled in MFA'],
  ['Captcha, not passed', 'title', 'Something went wrong'],
  // spec W8.35
  ['Captcha, not passed', 'texts', 'You did not pass CAPTCHA. Please try again.'],
  ['Captcha, retries used up', 'texts', 'If you use an adblocker or VPN, try disabling and re-attempting.'],
]

const wallet: readonly Row[] = [
  ['Wallet, not created', 'title', 'Failed to create wallet'],
  ['Wallet, not created', 'texts', 'walletProxy.create timed out.'],
  // spec W2.4
  ['Recovery, choice', 'buttons', 'Google Drive backup'],
  ['Recovery, choice', 'buttons', 'Apple iCloud backup'],
  ['Recovery, choice', 'buttons', 'Set password'],
  ['Recovery, choice anew', 'texts', 'Reset password'],
  ['Recovery, choice', 'texts', 'Why do I need to secure my account?'],
  ['Password, create', 'texts', 'Why do I need to secure my account?'],
  // spec W8.12
  ['Cloud, failed', 'texts', 'An error has occurred, please try again.'],
  // spec W2.17
  ['Sign', 'title', 'Sign message'],
  ['Sign', 'texts', 'Signing this message will not cost you any fees.'],
  ['Sign', 'buttons', 'Sign and continue'],
  ['Sign, signed', 'title', 'Success'],
  // spec W2.20, W2.21
  ['Send', 'title', 'Send ETH'],
  ['Send a token', 'title', 'Review transaction'],
  ['Send', 'buttons', 'Submit'],
  ['Send', 'texts', 'From'],
  ['Send', 'texts', 'To'],
  ['Send', 'texts', 'Action'],
  ['Send', 'texts', 'Estimated fees'],
  ['Send', 'texts', 'Total'],
  // spec W2.24
  ['Send, complete', 'title', 'Transaction complete!'],
  ['Send, complete', 'buttons', 'All Done'],
  ['Send, failed in its contract', 'buttons', 'Retry transaction'],
  // spec W8.14
  [
    'Send, will likely fail',
    'texts',
    'There was an error preparing your transaction. Your transaction request will likely fail.',
  ],
  // spec W2.32, W4.22
  ['Another app, success', 'title', 'Success'],
  ['Another app, oauth_unexpected', 'title', 'Something went wrong'],
  ['Another app, oauth_unexpected', 'buttons', 'Close'],
  // spec W8.23
  [
    'Another app, oauth_unexpected',
    'texts',
    'There was an issue connecting your Ledgerline account. Please try again.',
  ],
  // spec W8.25
  ['Another app, client_request_timeout', 'texts', 'Authorization request timed out after 2 minutes.'],
  // spec W8.27
  ['Wallet of another app, timeout', 'texts', 'Request timeout'],
  // spec W8.30
  ['Wallet of another app, notStarted', 'texts', 'Failed to initialize signature request'],
  // spec W8.31
  ['Another app, cross_app_connection_not_allowed', 'texts', 'Invalid connected app'],
  // spec W8.32
  ['Another app, pkce_state_code_mismatch', 'texts', 'Invalid code during cross-app auth flow.'],
  // spec W8.33
  ['Another app, oauth_user_denied', 'texts', 'User denied confirmation during cross-app auth flow'],
  ['Send, not enough', 'texts', 'Wallet has insufficient funds on this network for this transaction.'],
  // spec W2.23, W8.15
  ['Send, not enough, and funds can be added', 'texts', 'Add funds on Ethereum to complete the transaction.'],
  ['Send, not enough, and funds can be added', 'buttons', 'Add Funds'],
  ['Export', 'title', 'Transfer Wallet'],
  // spec W2.28
  ['Fund account', 'texts', 'Fieldnotes uses a card payment provider to fund your account'],
  // spec W2.30
  ['Payment, in progress', 'title', 'Fund account'],
  // spec W4.26
  ['Payment, completed', 'texts', "You've funded your account!"],
  ['Payment, completed', 'buttons', 'Continue'],
  // spec W4.27
  ['Payment, failed', 'texts', 'Something went wrong!'],
  ['Payment, failed', 'buttons', 'Done'],
  // spec W4.28
  ['Payment, provider error', 'buttons', 'Done'],
  // spec W4.29
  ['Payment, waiting for the bank', 'texts', 'Processing payment'],
  ['Payment, waiting for the bank', 'buttons', 'Continue'],
  // spec W4.30
  ['Payment, in progress', 'texts', 'In Progress'],
]

describe.each([
  ['logging in and linking', ways],
  ['verification', verification],
  ['errors', errors],
  ['the wallet', wallet],
])('of %s', (_name, rows) => {
  test.each(rows)('%s shows in its %s: %s', async (caption, part, text) => {
    const picture = pictures.find((each) => each.caption === caption)
    if (!picture) throw new Error(`No picture is called ${caption}`)
    const screen = picture.screen(() => {}, 'en')
    await screen.load('en')
    const read = readTexts(screen)
    if (part === 'title') expect(read.title).toBe(text)
    else expect(read[part]).toContain(text)
  })
})
