/**
 * Ten screens as a screen reader has them: what each thing is, what it is called, and in which order it is read. The
 * trees stand here whole, so that a change of one is seen by who makes it.
 */
import { expect, it } from 'vitest'
import { openShell, page, settled } from './testing/opened.ts'

/** What is announced when a screen comes stands last, and for a moment. */
const announcement = /\n {2}- text: [^\n]*$/

const foot = `  - contentinfo:
    - paragraph: Protected by Latchkey`

const trees = {
  Landing: `- dialog "Log in to Fieldnotes":
  - banner:
    - button "Close"
  - heading "Log in to Fieldnotes" [level=2]
  - textbox "E-mail":
    - /placeholder: you@example.com
  - button "Submit e-mail address" [disabled]
  - contentinfo:
    - paragraph:
      - text: By logging in I agree to the
      - link "Terms":
        - /url: https://fieldnotes.example/terms
      - text: "&"
      - link "Privacy Policy":
        - /url: https://fieldnotes.example/privacy
    - paragraph: Protected by Latchkey`,
  Code: `- dialog "Enter confirmation code":
  - banner:
    - button "Close"
  - heading "Enter confirmation code" [level=2]
  - paragraph: Sent to mira@fieldnotes.example. It is valid for 10 minutes.
  - group "Six-digit code":
    - textbox "Digit 1 of 6"
    - textbox "Digit 2 of 6"
    - textbox "Digit 3 of 6"
    - textbox "Digit 4 of 6"
    - textbox "Digit 5 of 6"
    - textbox "Digit 6 of 6"
  - text: Didn’t get an e-mail?
  - button "Resend code"
${foot}`,
  Sign: `- dialog "Sign message":
  - banner:
    - button "What is a signature?"
    - button "Close"
  - heading "Sign message" [level=2]
  - paragraph: Fieldnotes app.fieldnotes.example
  - paragraph: Signing this message will not cost you any fees.
  - group "Message": I agree to join the Spring Survey and to share my observations under CC-BY.
  - term: Wallet
  - definition:
    - button "0x71C7…976F Copy"
  - status: You can press the button now.
  - button "Sign and continue"
${foot}`,
  Send: `- dialog "Send ETH":
  - banner:
    - button "What happens with a transaction?"
    - button "Close"
  - heading "Send ETH" [level=2]
  - paragraph: 0.25 ETH
  - paragraph: Fieldnotes app.fieldnotes.example
  - term: From
  - definition:
    - button "0x71C7…976F Copy"
  - term: To
  - definition:
    - button "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826 Copy"
  - term: Action
  - definition: Send 0.25 ETH
  - term: Network
  - definition: Ethereum
  - term: Estimated fees
  - definition: 0.000651 ETH
  - term: Total
  - definition: 0.250651 ETH
  - status: You can press the button now.
  - button "Submit"
${foot}`,
  Error: `- dialog "Something went wrong":
  - banner:
    - button "Close"
  - heading "Something went wrong" [level=2]
  - paragraph: Try again later
  - button "Try again"
${foot}`,
  'Verify, choose': `- dialog "Verify your identity":
  - banner:
    - button "Close"
  - heading "Verify your identity" [level=2]
  - paragraph: Choose how to verify that it is you.
  - button "Authenticator App"
  - button "SMS"
  - button "Passkey"
  - button "Not now"
${foot}`,
  'Recovery, choice': `- dialog "Secure your account":
  - banner:
    - button "Close"
  - heading "Secure your account" [level=2]
  - paragraph: Choose how you get your wallet back on a new device. Nobody but you can use it.
  - button "Passkey"
  - button "Google Drive backup"
  - button "Apple iCloud backup"
  - button "Set password"
  - button "Cancel"
  - group: Why do I need to secure my account?
${foot}`,
  Unlink: `- dialog "Unlink your e-mail address?":
  - banner:
    - button "Close"
  - heading "Unlink your e-mail address?" [level=2]
  - paragraph: You will no longer be able to log in with mira@fieldnotes.example
  - button "Unlink"
  - button "Keep it"
${foot}`,
  'TOTP, scan': `- dialog "Scan QR code":
  - banner:
    - button "Close"
  - paragraph: Step 1 of 2
  - heading "Scan QR code" [level=2]
  - paragraph: Scan it with your authenticator app, or copy the key into the app.
  - img "Code that adds this account to an authenticator app"
  - button "Key JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP Copy the key"
  - button "Continue"
${foot}`,
  'Transaction Protection': `- dialog "Transaction Protection":
  - banner:
    - button "Close"
  - heading "Transaction Protection" [level=2]
  - paragraph: Add a second way to verify that it is you. You will be asked for it before your wallet is used.
  - list:
    - listitem: You confirm what your wallet does with a code or a passkey.
    - listitem: Without it, nobody who gets into your account can use your wallet.
  - button "Continue"
  - button "Not now"
${foot}`,
}

it.each(Object.entries(trees))('%s', async (caption, tree) => {
  await openShell()
  await page.evaluate((given) => shell.go(given), caption)
  await settled()
  const seen = async () => (await page.getByRole('dialog').ariaSnapshot()).replace(announcement, '')
  // An approval says a moment later that its button can be pressed.
  await expect.poll(seen).toBe(tree)
})
