/** Brings every login method and every link to a given refusal of the server. */
import type { LatchkeyError, LoginMethod, UserRecord } from '@latchkey/protocol'
import '../capabilities/siwe/lazy/sign-in-message.ts'
import { farcasterOn } from '../capabilities/farcaster/farcaster.ts'
import { capabilities } from '../capabilities/index.ts'
import { capabilitiesIn as withProviders } from '../capabilities/oauth/testing.ts'
import { passkeyBy } from '../capabilities/passkey/passkey.ts'
import {
  address,
  chooseWallet,
  makePage,
  makeWalletFixture,
  metamask,
  openWallets,
  signature,
  answers as walletAnswers,
} from '../capabilities/siwe/testing.ts'
import { capabilitiesIn as withTelegram } from '../capabilities/telegram/testing.ts'
import type { Capability } from '../contract/capability.ts'
import type { Authenticator } from '../webauthn/authenticator.ts'
import { makeFakeBrowser } from '../window-login/testing.ts'
import { settle } from './clock.ts'
import { type Answers, type Fixture, makeFixture, watch } from './fixture.ts'
import { makeAuthAnswer, visitorUser } from './fixtures.ts'
import { type Page, renderDialog, submitEmail } from './page.tsx'

// In a browser it arrives while the wallet is connecting.

export type Way = 'login' | 'link'
export type Refused = {
  fixture: Fixture
  heard: ReturnType<typeof watch>
  /** Rendered for a screen that is a component. */
  page?: Page
}
type Refuse = (error: LatchkeyError, way: Way) => Promise<Refused>

const nobodyLinked: UserRecord = { ...visitorUser, linkedAccounts: [] }
const throwing = (error: LatchkeyError) => () => {
  throw error
}

/** Runs up to the method's entry, or its list. */
async function begin(fixture: Fixture, way: Way, method: LoginMethod) {
  if (way === 'login') {
    const heard = watch(fixture.login())
    await settle()
    return heard
  }
  await fixture.session.start()
  fixture.session.accept(makeAuthAnswer({ user: nobodyLinked }))
  await settle()
  const heard = watch(fixture.link(method))
  await settle()
  return heard
}

const onlyBy = (own: Capability) => capabilities.map((each) => (each.name === own.name ? own : each))
const noMethod = { emailAuth: false }
const me = () => nobodyLinked

const beginning: Refuse = async (error, way) => {
  const fixture = await makeFixture({ answers: { me, sendEmailCode: throwing(error) } })
  const heard = await begin(fixture, way, 'email')
  const page = await submitEmail(fixture, 'ada@example.org')
  return { fixture, heard, page }
}

const code: Refuse = async (error, way) => {
  const refuse = throwing(error)
  const sendEmailCode = () => ({ success: true as const })
  const fixture = await makeFixture({
    answers: { me, sendEmailCode, loginWithEmailCode: refuse, linkEmail: refuse },
  })
  const heard = await begin(fixture, way, 'email')
  const page = await submitEmail(fixture, 'ada@example.org')
  await page.type('Digit 1 of 6', '123456')
  return { fixture, heard, page }
}

const wallet: Refuse = async (error, way) => {
  const refuse = throwing(error)
  const page = makePage({ wallets: [metamask] })
  const fixture = await makeWalletFixture({
    page,
    answers: { ...walletAnswers, me, loginWithSiwe: refuse, linkWallet: refuse },
  })
  const heard = await begin(fixture, way, 'wallet')
  const dialog = renderDialog(fixture)
  if (way === 'login') await openWallets(dialog)
  await chooseWallet(dialog, 'MetaMask')
  await page.answer([address])
  await page.answer('0x1')
  await page.answer(signature)
  return { fixture, heard, page: dialog }
}

const farcaster: Refuse = async (error, way) => {
  const refuse = throwing(error)
  const signed = { message: 'What the phone signed', signature: '0xab12', fid: 7 }
  const fixture = await makeFixture({
    answers: {
      me,
      beginFarcaster: () => ({
        channelToken: 'channel-1',
        connectUri: 'https://farcaster.xyz/~/siwf?channelToken=channel-1',
      }),
      farcasterStatus: () => ({ state: 'completed', nonce: 'nonce-1', ...signed, username: 'ada' }),
      loginWithFarcaster: refuse,
      linkFarcaster: refuse,
    },
    app: { ...noMethod, farcasterAuth: true },
    capabilities: onlyBy(farcasterOn({ isPhone: false })),
  })
  const heard = await begin(fixture, way, 'farcaster')
  const page = renderDialog(fixture)
  await page.press(/Farcaster/)
  await fixture.clock.advance(2_000)
  return { fixture, heard, page }
}

/** The device returns its own errors, and the server all others. */
function makeDevice(error: LatchkeyError): Authenticator {
  const given = (id: string) => ({ id, rawId: id, clientExtensionResults: {}, type: 'public-key' as const })
  const answer = <Made>(made: Made) => {
    return () => (error.code === 'passkey_not_allowed' ? Promise.reject<Made>(error) : Promise.resolve(made))
  }
  const clientDataJson = 'Y2xpZW50'
  return {
    get: answer({
      ...given('Zmlyc3Q'),
      response: { clientDataJson, authenticatorData: 'ZGF0YQ', signature: 'c2ln' },
    }),
    create: answer({ ...given('bmV3'), response: { clientDataJson, attestationObject: 'b2JqZWN0' } }),
  }
}

const passkey: Refuse = async (error, way) => {
  const relyingParty = 'dialog.localhost'
  const refuse = throwing(error)
  const fixture = await makeFixture({
    answers: {
      me,
      beginPasskeyLogin: () => ({ relyingParty, options: { challenge: 'bG9naW4' } }),
      loginWithPasskey: refuse,
      beginPasskeyLink: () => ({
        relyingParty,
        options: {
          rp: { name: 'Demo', id: relyingParty },
          user: { id: 'dXNlcg', name: 'Ada', displayName: 'Ada' },
          challenge: 'bGluaw',
          pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
        },
      }),
      linkPasskey: refuse,
    },
    app: { ...noMethod, passkeyAuth: true },
    capabilities: onlyBy(passkeyBy(makeDevice(error))),
  })
  const heard = await begin(fixture, way, 'passkey')
  const page = renderDialog(fixture)
  await page.press(way === 'login' ? 'I have a passkey' : 'Add new passkey')
  return { fixture, heard, page }
}

const oauth: Refuse = async (error, way) => {
  const refuse = throwing(error)
  const begun: { stateCode: string }[] = []
  const answers: Answers = {
    me,
    startOAuth: (body) => {
      begun.push(body)
      return { url: 'http://dialog.localhost:4000/oauth/start/handle' }
    },
    oauthResult: () => ({
      status: 'completed',
      authorizationCode: 'code-1',
      stateCode: begun[0]?.stateCode ?? 'none',
    }),
    loginWithOAuth: refuse,
    linkOAuth: refuse,
  }
  const fixture = await makeFixture({
    answers,
    app: { ...noMethod, googleOauth: true },
    capabilities: withProviders(makeFakeBrowser()),
  })
  const heard = await begin(fixture, way, 'google')
  const page = renderDialog(fixture)
  await page.press(/Google/)
  return { fixture, heard, page }
}

const telegram: Refuse = async (error, way) => {
  const refuse = throwing(error)
  const telegramAuthResult = { id: '42', firstName: 'Ada', authDate: '1565810688', hash: 'a'.repeat(64) }
  const fixture = await makeFixture({
    answers: {
      me,
      startTelegram: () => ({ telegramOrigin: 'https://oauth.telegram.example' }),
      telegramResult: () => ({ status: 'completed', telegramAuthResult }),
      loginWithTelegram: refuse,
      linkTelegram: refuse,
    },
    app: {
      ...noMethod,
      telegramAuth: true,
      telegramAuthConfig: {
        botId: '110201543',
        botName: 'demo_bot',
        linkEnabled: true,
        seamlessAuthEnabled: true,
      },
    },
    capabilities: withTelegram(makeFakeBrowser()),
  })
  const heard = await begin(fixture, way, 'telegram')
  const page = renderDialog(fixture)
  await page.press(/Telegram/)
  return { fixture, heard, page }
}

/** A passkey of the user. */
export async function refuseUnlink(error: LatchkeyError): Promise<Refused> {
  const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
  const own = { type: 'passkey' as const, credentialId: 'Zmlyc3Q', enrolledInMfa: false, ...times }
  const user: UserRecord = { ...visitorUser, linkedAccounts: [own] }
  const answers = { me: () => user, unlinkPasskey: throwing(error) }
  const fixture = await makeFixture({ answers, app: { passkeyAuth: true } })
  await fixture.session.start()
  fixture.session.accept(makeAuthAnswer({ user }))
  await settle()
  const heard = watch(fixture.unlink('passkey', own.credentialId))
  await settle()
  const page = renderDialog(fixture)
  await page.press('Unlink')
  return { fixture, heard, page }
}

export const refusedWays = { beginning, code, wallet, farcaster, passkey, oauth, telegram }
export type RefusedWay = keyof typeof refusedWays
