/** How a passkey is had to give what it has: a new one is made first, the one that keeps the wallet answers the server. */
import { LatchkeyError, recoveryPasskeyLimits } from '@latchkey/protocol'
import { type AssertionOptions, recoveryPasskeyRoutes } from '@latchkey/protocol/api'
import { toBase64url } from '../../../base64url.ts'
import type { FlowPorts } from '../../../core/ports.ts'
import type { OwnRecovery } from '../../../wallet/own-recovery.ts'
import { createChallenges } from '../../../webauthn/challenges.ts'
import type { PrfAuthenticator } from '../../../webauthn/prf-authenticator.ts'

type Ports = Pick<FlowPorts, 'api' | 'clock'>
type ByPasskey = Extract<OwnRecovery, { readonly method: 'passkey' }>

export type Proving = {
  /** Fetches what the press needs, so that it waits for nothing. */
  readonly prepare: () => void
  /** Called in the press. May fail, and be called again. */
  readonly prove: () => Promise<ByPasskey>
  /** Whether a new passkey was made, and is asked once more. */
  readonly isMade: () => boolean
}
export type Prove = (ports: Ports, authenticator: PrfAuthenticator, signal: AbortSignal) => Proving

/** What it gives is all that is wanted, and nobody is told what it signed. */
const unsent = () => toBase64url(crypto.getRandomValues(new Uint8Array(32)))

type Made = {
  readonly credentialId: string
  readonly given: CryptoKey | undefined
  readonly options: AssertionOptions
  readonly salt: string
  readonly untilMs: number
}

/** One passkey is made, however often it takes to hear what it gives and to set it. */
export const makePasskey: Prove = ({ api, clock }, authenticator, signal) => {
  const asker = { signal }
  const begun = createChallenges(clock, () => api.call(recoveryPasskeyRoutes.beginRecoveryPasskey, {}, asker))
  let made: Made | undefined
  /** The server keeps what no wallet took over for a while. */
  const present = () => (made && clock.nowMs() < made.untilMs ? made : undefined)

  async function make(): Promise<Made> {
    const { options, salt } = await begun.present()
    const { attestation, isAble, given } = await authenticator.create(options, salt, signal)
    begun.spend()
    if (!isAble) throw unable()
    const untilMs = clock.nowMs() + recoveryPasskeyLimits.unusedSeconds * 1_000
    const { credentialId } = await api.call(
      recoveryPasskeyRoutes.registerRecoveryPasskey,
      { authenticatorResponse: attestation },
      asker,
    )
    const { id: rpId } = options.rp
    const { transports = [] } = attestation.response
    return {
      credentialId,
      given,
      salt,
      untilMs,
      options: {
        challenge: unsent(),
        ...(rpId !== undefined && { rpId }),
        allowCredentials: [{ id: credentialId, type: 'public-key', transports }],
        userVerification: 'required',
      },
    }
  }

  return {
    prepare() {
      // The press asks for it again, and hears.
      if (!present()) begun.present().catch(() => {})
    },
    async prove() {
      made = present() ?? (await make())
      const { options, salt, credentialId } = made
      const given = made.given ?? (await authenticator.get(options, salt, signal)).given
      if (!given) {
        made = undefined
        throw unable()
      }
      made = { ...made, given }
      return { method: 'passkey', given, passkey: { credentialId } }
    },
    isMade: () => present() !== undefined,
  }
}

export const askPasskey: Prove = ({ api, clock }, authenticator, signal) => {
  const begun = createChallenges(clock, () =>
    api.call(recoveryPasskeyRoutes.askRecoveryPasskey, {}, { signal }),
  )
  return {
    prepare() {
      begun.present().catch(() => {})
    },
    async prove() {
      const { options, salt } = await begun.present()
      const { assertion, given } = await authenticator.get(options, salt, signal)
      begun.spend()
      if (!given) throw unable()
      return { method: 'passkey', given, passkey: { authenticatorResponse: assertion } }
    },
    isMade: () => false,
  }
}

const unable = () => new LatchkeyError('not_supported', 'This passkey gives nothing that could keep a wallet')
