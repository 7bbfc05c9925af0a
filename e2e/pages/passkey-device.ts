import type { CDPSession, Page } from '@playwright/test'

/** A device that knows its user, as the browser's own authenticator. */
export type Device = {
  /** A touch comes by itself; without one, the request waits. */
  readonly setPresent: (isPresent: boolean) => Promise<void>
  /** Whether it recognises its user; a request of somebody whom it does not is refused. */
  readonly setRecognises: (isRecognised: boolean) => Promise<void>
  /** Leaves its passkeys behind, as somebody on another device does. */
  readonly replace: () => Promise<void>
  readonly passkeys: () => Promise<number>
}

/** `prf`: whether its passkeys give secrets too. */
export async function addDevice(page: Page, { prf = false } = {}): Promise<Device> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const plugIn = async () =>
    (
      await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          ...(prf && { ctap2Version: 'ctap2_1', hasPrf: true }),
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
    ).authenticatorId
  let authenticatorId = await plugIn()
  return {
    setPresent: async (enabled) =>
      void (await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
    setRecognises: async (isUserVerified) =>
      void (await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
    async replace() {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      authenticatorId = await plugIn()
    },
    passkeys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
