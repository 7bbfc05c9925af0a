import { useEffect, useEffectEvent } from 'react'

/** WebOTP: a phone's browser offers the code of an SMS that names this origin. https://wicg.github.io/web-otp/ */
export function useCodeFromSms(wanted: boolean, onCode: (code: string) => void) {
  const tell = useEffectEvent(onCode)
  useEffect(() => {
    if (!wanted || !('OTPCredential' in window)) return
    const abort = new AbortController()
    const request: CredentialRequestOptions & { readonly otp: { readonly transport: readonly ['sms'] } } = {
      otp: { transport: ['sms'] },
      signal: abort.signal,
    }
    navigator.credentials.get(request).then(
      (credential) => {
        if (credential && 'code' in credential && typeof credential.code === 'string') {
          tell(credential.code)
        }
      },
      // Refused, timed out or aborted: the fields are there to type into.
      () => undefined,
    )
    return () => abort.abort()
  }, [wanted])
}
