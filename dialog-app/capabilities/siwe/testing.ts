/** Wallets in a host's page whose user is the test, and a dialog beside them. */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { HostWallets, WalletAnswer, WalletRequest } from '@latchkey/protocol/host'
import type { HostPage } from '../../browser/ports.ts'
import { type Capability, defineCapability } from '../../contract/capability.ts'
import type { GetCaptchaPass } from '../../contract/login.ts'
import type { ShownPart } from '../../flow/screen.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { pressIn } from '../../testing/read-screen.ts'
import { capabilities } from '../index.ts'
import type { OpenConnector } from './sources/connector.ts'
import './lazy/sign-in-message.ts'
import type { RowState } from './screens/wallet-row.tsx'
import { siweOn } from './siwe.ts'

// In a browser it comes while the wallet is asked to connect.

export const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
export const otherAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
export const signature = `0x${'ab'.repeat(65)}`

export const metamask = { id: 'one', name: 'MetaMask', rdns: 'io.metamask' }
export const cairn = { id: 'two', name: 'Cairn', rdns: 'example.cairn' }

/** Each question waits until the test answers it. */
export function makePage(said: HostWallets) {
  const requests: (WalletRequest & { signal: AbortSignal })[] = []
  const answers = new Map<string, (asked: WalletRequest) => WalletAnswer>([
    ['eth_accounts', () => ({ result: [] })],
  ])
  let open = Promise.withResolvers<WalletAnswer>()
  let finding: Promise<unknown> = Promise.resolve()
  const hostPage: HostPage = {
    findWallets: async () => {
      await finding
      return said
    },
    request(request, { signal }) {
      requests.push({ ...request, signal })
      const prepared = answers.get(request.method)
      if (prepared) return Promise.resolve(prepared(request))
      open = Promise.withResolvers()
      return open.promise
    },
  }
  async function end(how: (question: typeof open) => void) {
    how(open)
    await settle()
  }
  const refusing = (code: number | null, message: string) =>
    end(({ resolve }) => resolve({ refused: { code, message } }))
  return {
    ...hostPage,
    asked: requests,
    /** The method that the wallet is asked for now. */
    question: () => requests.at(-1)?.method,
    answer: (result: unknown) => end(({ resolve }) => resolve({ result })),
    refuse: () => refusing(4001, 'User rejected the request.'),
    fail: (code: number | null = null) => refusing(code, 'It broke'),
    timeOut: () => end(({ reject }) => reject(new LatchkeyError('call_timeout', 'Nobody answered'))),
    /** What this page never says. */
    crash: () => end(({ reject }) => reject(new TypeError('null is not an object'))),
    /** Without the test, from now on. Of no page that asks is its user known yet. */
    answers: (method: string, answer: (asked: WalletRequest) => WalletAnswer) =>
      void answers.set(method, answer),
    /** The page says nothing more until this resolves. */
    delay(until: Promise<unknown>) {
      finding = until
    },
    say(next: HostWallets) {
      said = next
    },
  }
}
export type Page = ReturnType<typeof makePage>

export const desktop = {
  userAgent: 'Mozilla/5.0 (X11; Linux) Chrome/140',
  address: 'http://dialog.localhost:4000/apps/app/dialog',
}
export const iphone = { ...desktop, userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X)' }
export const android = { ...desktop, userAgent: 'Mozilla/5.0 (Linux; Android 16) Chrome/140' }

type Given = Omit<Partial<FixtureOptions>, 'page'> & {
  page?: Page
  device?: typeof desktop
  relay?: OpenConnector
  captcha?: GetCaptchaPass
}

export async function makeWalletFixture({ page, device = desktop, relay, captcha, ...options }: Given = {}) {
  const asked = defineCapability({
    name: 'captcha',
    loadedFor: 'nobody',
    bring: () => ({ captchaPass: captcha ?? (async () => ({})) }),
  })
  const own: readonly Capability[] = [siweOn(device, relay), asked]
  return makeFixture({
    ...options,
    app: { walletAuth: true, ...options.app },
    ...(page && { page }),
    capabilities: capabilities.map((each) => own.find(({ name }) => name === each.name) ?? each),
  })
}

export type Fixture = Awaited<ReturnType<typeof makeWalletFixture>>

/** The parts of the present screen that have wallets, on LANDING, behind its button or where one is linked. */
function partsOf(fixture: Fixture): readonly ShownPart[] {
  const { entries } = Object(fixture.view()?.screen?.state) as { entries?: readonly ShownPart[] }
  const shown = entries ?? fixture.options().map((option) => ('part' in option ? option.part : undefined))
  return shown.flatMap((part) => (part && 'draw' in part ? [part] : []))
}
const nameOf = (part: ShownPart) => (part.state as Partial<RowState>).wallet?.name

export const shownWallets = (fixture: Fixture) => partsOf(fixture).flatMap((part) => nameOf(part) ?? [])
/** By which each row is known among the others, wherever it stands. */
export const walletKeys = (fixture: Fixture) =>
  partsOf(fixture).flatMap((part) => (nameOf(part) === undefined ? [] : [part.key]))
export const lastUsedOf = (fixture: Fixture) =>
  partsOf(fixture).flatMap((part) => ((part.state as Partial<RowState>).isLastUsed ? nameOf(part) : []))

/** Undefined: the entry that stands where there is none to choose from. */
export async function chooseWallet(fixture: Fixture, name: string | undefined) {
  const found = partsOf(fixture).find((part) => 'wallet' in Object(part.state) && nameOf(part) === name)
  if (!found) throw new Error(`There is no ${name} among ${shownWallets(fixture).join(', ')}`)
  pressIn(found, 'choose', [])
  await settle()
}

/** What stands behind 'Continue with a wallet'. */
export async function openWallets(fixture: Fixture) {
  await fixture.openOptions('web3-overflow')
}

/** A login that has come to its wallets. */
export async function atWallets(given: Given) {
  const fixture = await makeWalletFixture(given)
  const login = watch(fixture.login())
  await settle()
  await openWallets(fixture)
  return { fixture, login, step: () => fixture.state('AWAITING_CONNECTION').step }
}

export const chainOne = '0x1'
export const pageOf = (...wallets: (typeof metamask)[]) => makePage({ wallets })

/** One that has come up to the question for a signature. */
export async function connected(given: Given = {}, page = pageOf(metamask, cairn)) {
  const at = await atWallets({ answers, page, ...given })
  await chooseWallet(at.fixture, 'MetaMask')
  await page.answer([address])
  await page.answer(chainOne)
  return { ...at, page }
}

export const walletAccount = {
  type: 'wallet' as const,
  address,
  chainType: 'ethereum' as const,
  chainId: 'eip155:1',
  walletClient: 'unknown' as const,
  verifiedAt: 1,
  firstVerifiedAt: 1,
  latestVerifiedAt: 1,
}
export const walletOwner: UserRecord = { ...visitorUser, linkedAccounts: [walletAccount] }

/** In ten minutes, as the server's clock says: the nonce was made on New Year 2026 at 12:34:56. */
export const expiresAt = Date.UTC(2026, 0, 1, 12, 44, 56) / 1_000
export const answers: Answers = {
  beginSiwe: ({ address: asked }) => ({ nonce: 'k7Qm2xV9', address: asked, expiresAt }),
  loginWithSiwe: () => makeAuthAnswer({ user: walletOwner }),
  me: () => walletOwner,
}
