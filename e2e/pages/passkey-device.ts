import type { CDPSession, Page } from '@playwright/test'

/** A virtual authenticator that verifies its user. */
export type Device = {
  /** Sets whether it responds automatically. Otherwise requests stay pending. */
  setPresent: (isPresent: boolean) => Promise<void>
  /** Sets whether it verifies its user. Otherwise requests are rejected. */
  setVerifiesUser: (isRecognised: boolean) => Promise<void>
  /** Replaces it by an empty authenticator, like a user on another device. */
  replace: () => Promise<void>
  /** Counts its passkeys, also after its page has closed. */
  passkeys: () => Promise<number>
  /**
   * Attaches the authenticator to another page, also after this one has closed. Real ones are shared by all
   * pages.
   */
  takeTo: (page: Page) => Promise<Device>
}

type Plugged = {
  prf?: boolean
  /**
   * Whether pages may offer its passkeys in fields. A virtual authenticator answers such an offer at once, before a
   * test presses anything.
   */
  autofill?: boolean
  credentials?: readonly Credential[]
}
/** A stored credential. */
type Credential = {
  credentialId: string
  isResidentCredential: boolean
  rpId?: string
  privateKey: string
  userHandle?: string
  signCount: number
}

/** `prf` is whether its passkeys support the PRF extension. */
export async function addDevice(
  page: Page,
  { prf = false, autofill = false, credentials = [] }: Plugged = {},
): Promise<Device> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  if (!autofill) {
    await page.context().addInitScript(() => {
      if ('PublicKeyCredential' in window) {
        PublicKeyCredential.isConditionalMediationAvailable = async () => false
      }
    })
  }
  /** Credentials stay known after the page has closed. */
  const stored = new Map(credentials.map((credential) => [credential.credentialId, credential]))
  const store = ({ credential }: { credential: Credential }) =>
    void stored.set(credential.credentialId, credential)
  cdp.on('WebAuthn.credentialAdded', store)
  cdp.on('WebAuthn.credentialAsserted', store)
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
    setVerifiesUser: async (isUserVerified) =>
      void (await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
    async replace() {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      authenticatorId = await plugIn()
    },
    passkeys: () =>
      cdp.send('WebAuthn.getCredentials', { authenticatorId }).then(
        ({ credentials }) => credentials.length,
        () => stored.size,
      ),
    takeTo: (other) => addDevice(other, { prf, autofill, credentials: [...stored.values()] }),
  }
}
