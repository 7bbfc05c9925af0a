import type { CDPSession, Page } from '@playwright/test'

/** A device that knows its user, as the browser's own authenticator. */
export type Device = {
  /** A touch comes by itself; without one, the request waits. */
  setPresent: (isPresent: boolean) => Promise<void>
  /** Whether it recognises its user; a request of somebody whom it does not is refused. */
  setRecognises: (isRecognised: boolean) => Promise<void>
  /** Leaves its passkeys behind, as somebody on another device does. */
  replace: () => Promise<void>
  /** Also after its page has gone. */
  passkeys: () => Promise<number>
  /** The same device at another page, also after this one has gone: a browser's own has its passkeys there too. */
  takeTo: (page: Page) => Promise<Device>
}

type Plugged = {
  prf?: boolean
  credentials?: readonly Credential[]
}
/** What a device keeps of a passkey. */
type Credential = {
  credentialId: string
  isResidentCredential: boolean
  rpId?: string
  privateKey: string
  userHandle?: string
  signCount: number
}

/** `prf`: whether its passkeys give secrets too. */
export async function addDevice(
  page: Page,
  { prf = false, credentials = [] }: Plugged = {},
): Promise<Device> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  /** Known also after the page has gone. */
  const kept = new Map(credentials.map((credential) => [credential.credentialId, credential]))
  const keep = ({ credential }: { credential: Credential }) =>
    void kept.set(credential.credentialId, credential)
  cdp.on('WebAuthn.credentialAdded', keep)
  cdp.on('WebAuthn.credentialAsserted', keep)
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
  for (const credential of credentials) {
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
  }
  return {
    setPresent: async (enabled) =>
      void (await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
    setRecognises: async (isUserVerified) =>
      void (await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
    async replace() {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      authenticatorId = await plugIn()
    },
    passkeys: () =>
      cdp.send('WebAuthn.getCredentials', { authenticatorId }).then(
        ({ credentials }) => credentials.length,
        () => kept.size,
      ),
    takeTo: (other) => addDevice(other, { prf, credentials: [...kept.values()] }),
  }
}
