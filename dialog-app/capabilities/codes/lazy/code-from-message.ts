/** WebOTP: a phone's browser offers the code of a message that names these pages. https://wicg.github.io/web-otp/ */
import type { ArrivedCode } from '../../../ui/fields/code-field.tsx'

type OtpRequest = CredentialRequestOptions & { otp: { transport: readonly ['sms'] } }

/** Reports each code that arrives, until the signal aborts or the user declines. */
export async function tellCodes(
  signal: AbortSignal,
  tell: (arrived: ArrivedCode) => void,
  browser: { navigator: { credentials: Pick<CredentialsContainer, 'get'> } } = window,
): Promise<void> {
  if (!('OTPCredential' in browser)) return
  const request: OtpRequest = { otp: { transport: ['sms'] }, signal }
  while (!signal.aborted) {
    const credential = await browser.navigator.credentials.get(request).catch(() => null)
    // Refused, timed out or aborted: the fields are there to type into.
    if (credential === null || !('code' in credential) || typeof credential.code !== 'string') return
    if (!signal.aborted) tell({ code: credential.code })
  }
}
