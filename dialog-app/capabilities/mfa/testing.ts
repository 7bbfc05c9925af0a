/** Fixtures for second factors: users, a wallet frame that requires a factor, and a device with passkeys. */
import {
  type ClientConfig,
  LatchkeyError,
  type LinkedAccount,
  type MfaMethodType,
  type UserRecord,
} from '@latchkey/protocol'
import { type Answers, type FixtureOptions, makeFixture } from '../../testing/fixture.ts'
import { makeAuthAnswer, walletUser } from '../../testing/fixtures.ts'
import type { Operation } from '../../wallet/operations.ts'
import { assertion, attestation, makeDevice } from '../../webauthn/testing.ts'
import { makeFakeBrowser } from '../../window-login/testing.ts'
import { capabilities } from '../index.ts'
import { mfaBy } from './mfa.ts'

export const userWith = (...methods: readonly MfaMethodType[]): UserRecord => ({
  ...walletUser,
  mfaMethods: methods.map((type) => ({ type, verifiedAt: 1 })),
})
export const withAccounts = (user: UserRecord, ...more: readonly LinkedAccount[]): UserRecord => ({
  ...user,
  linkedAccounts: [...user.linkedAccounts, ...more],
})
const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
export const phoneAccount: LinkedAccount = { type: 'phone', phoneNumber: '+1 2025550123', ...times }
export const passkeyAccount = (credentialId: string): LinkedAccount => ({
  type: 'passkey',
  credentialId,
  enrolledInMfa: false,
  ...times,
})

export const relyingParty = 'dialog.localhost'
export const missing = () => new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')

export type FrameData = Readonly<Record<string, unknown>>
/** Answers a call of a change of methods, or throws. */
export type ServeFrame = (event: string, data: FrameData) => unknown

export type MfaFixtureOptions = {
  user?: UserRecord
  serve?: ServeFrame
  /** Signs with the data of the call, or throws. */
  sign?: (data: FrameData | undefined) => string
  answers?: Answers
  config?: ClientConfig
  methods?: readonly MfaMethodType[]
  capabilities?: FixtureOptions['capabilities']
}

export async function makeMfaFixture(options: MfaFixtureOptions = {}) {
  const { user = walletUser, serve = () => ({}), sign = () => '0xsigned' } = options
  const device = makeDevice({ assertion, attestation })
  const browser = makeFakeBrowser()
  const calls: { event: string; operation: string; data: FrameData }[] = []
  /** The confirmations of the tokens of changes. */
  const confirmations: unknown[] = []
  const operations = { begun: 0, ended: [] as string[] }

  const beginOperation = (): Operation => {
    operations.begun += 1
    const id = `op-${operations.begun}`
    return {
      id,
      publicKey: 'B',
      nextStep: () => ({ id, step: 1 }),
      channel: {
        async call(event: string, { accessToken: _, operation: __, ...data }: FrameData) {
          calls.push({ event, operation: id, data })
          return (await serve(event, data)) as never
        },
      } as unknown as Operation['channel'],
    }
  }
  const ownMfa = mfaBy(device.authenticator, browser)
  const fixture = await makeFixture({
    answers: {
      me: () => user,
      logout: () => ({ success: true }),
      sendMfaCode: () => ({ success: true, sentTo: '*0123' }),
      beginPasskeyVerification: () => ({
        relyingParty,
        options: { challenge: 'Y2hhbGxlbmdl', allowCredentials: [] },
      }),
      ...options.answers,
    },
    app: { mfaMethods: [...(options.methods ?? ['totp', 'sms', 'passkey'])] },
    config: options.config ?? {},
    wallet: {
      begin: async () => beginOperation(),
      end: ({ id }) => void operations.ended.push(id),
      requestToken: async ({ nextStep }, purpose, address, { confirmation = null } = {}) => {
        confirmations.push(confirmation?.handle ?? null)
        return {
          purpose,
          address,
          confirmation,
          requestedAtMs: 0,
          data: { accessToken: 'wallet-token', operation: nextStep() },
        }
      },
      signMessage: async (_address, _message, asker) => sign(asker?.verification),
    },
    capabilities: (options.capabilities ?? capabilities).map((each) => (each.name === 'mfa' ? ownMfa : each)),
  })
  fixture.session.accept(makeAuthAnswer({ user }))

  return {
    ...fixture,
    device,
    browser,
    /** The calls of the wallet frame, without their tokens. */
    calls,
    confirmations,
    operations,
    show: (context = { signal: new AbortController().signal }) =>
      fixture.more('showMfaEnrollment', {}, context),
  }
}
