/** A host page with wallets that tests control, and a dialog. */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { HostWallets, WalletAnswer, WalletRequest } from '@latchkey/protocol/host'
import type { HostPage } from '../../browser/ports.ts'
import { type Capability, defineCapability } from '../../contract/capability.ts'
import type { GetCaptchaPass } from '../../contract/login.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { capabilities } from '../index.ts'
import type { OpenConnector } from './sources/connector.ts'
import './lazy/sign-in-message.ts'
import { siweOn } from './siwe.ts'

// Browsers load this code while the wallet connects.

export const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
export const otherAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
export const signature = `0x${'ab'.repeat(65)}`

export const metamask = { id: 'one', name: 'MetaMask', rdns: 'io.metamask' }
export const cairn = { id: 'two', name: 'Cairn', rdns: 'example.cairn' }

export const solanaAddress = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'

/** Each request waits until the test answers it. */
export function makePage(said: HostWallets) {
  const requests: (WalletRequest & { signal: AbortSignal; answer: (result: unknown) => Promise<void> })[] = []
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
      const question = Promise.withResolvers<WalletAnswer>()
      const answer = (result: unknown) => end(question, ({ resolve }) => resolve({ result }))
      requests.push({ ...request, signal, answer })
      const prepared = answers.get(request.method)
      if (prepared) question.resolve(prepared(request))
      else open = question
      return question.promise
    },
  }
  async function end(question: typeof open, how: (question: typeof open) => void) {
    how(question)
    await settle()
  }
  const refusing = (code: number | null, message: string) =>
    end(open, ({ resolve }) => resolve({ refused: { code, message } }))
  return {
    ...hostPage,
    asked: requests,
    /** The method of the pending wallet request. */
    question: () => requests.at(-1)?.method,
    answer: (result: unknown) => end(open, ({ resolve }) => resolve({ result })),
    refuse: () => refusing(4001, 'User rejected the request.'),
    fail: (code: number | null = null) => refusing(code, 'It broke'),
    timeOut: () => end(open, ({ reject }) => reject(new LatchkeyError('call_timeout', 'Nobody answered'))),
    /** Fails with an error that no page sends. */
    crash: () => end(open, ({ reject }) => reject(new TypeError('null is not an object'))),
    /** Answers a method automatically from now on. */
    answers: (method: string, answer: (asked: WalletRequest) => WalletAnswer) =>
      void answers.set(method, answer),
    /** Delays the page's responses until the promise resolves. */
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
  const captchaCapability = defineCapability({
    name: 'captcha',
    loadedFor: 'nobody',
    bring: () => ({ captchaPass: captcha ?? (async () => ({})) }),
  })
  const own: readonly Capability[] = [siweOn(device, relay), captchaCapability]
  return makeFixture({
    ...options,
    app: { walletAuth: true, ...options.app },
    ...(page && { page }),
    capabilities: capabilities.map((each) => own.find(({ name }) => name === each.name) ?? each),
  })
}

/** The rendered dialog. */
export type Dialog = ReturnType<typeof renderDialog>

/** Returns the names of the wallet rows, in order. */
export const shownWallets = (dialog: Dialog) =>
  dialog.texts().filter((text, at, all) => !isMark(text) && isMark(all[at + 1]))
export const lastUsedOf = (dialog: Dialog) =>
  dialog.texts().filter((_, at, all) => all[at + 1] === 'Last used')
const isMark = (text: string | undefined) =>
  text === 'Connect' || text === 'Last used' || text === 'On your phone'

export const chooseWallet = (dialog: Dialog, name: string) => dialog.press((label) => label.startsWith(name))

export const openWallets = (dialog: Dialog) => dialog.press(/^Continue with a wallet/)

/** Opens the wallet list of a login. */
export async function atWallets(given: Given) {
  const fixture = await makeWalletFixture(given)
  const login = watch(fixture.login())
  await settle()
  const dialog = renderDialog(fixture)
  await openWallets(dialog)
  return { fixture, login, dialog }
}

export const chainOne = '0x1'
export const pageOf = (...wallets: (typeof metamask)[]) => makePage({ wallets })

/** Connects MetaMask, so that it is asked for its signature. */
export async function connected(given: Given = {}, page = pageOf(metamask, cairn)) {
  const at = await atWallets({ answers, page, ...given })
  await chooseWallet(at.dialog, 'MetaMask')
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

/** The expiry by the server's clock, ten minutes after the nonce was created on 2026-01-01 at 12:34:56. */
export const expiresAt = Date.UTC(2026, 0, 1, 12, 44, 56) / 1_000
export const answers: Answers = {
  beginSiwe: ({ address: asked }) => ({ nonce: 'k7Qm2xV9', address: asked, expiresAt }),
  loginWithSiwe: () => makeAuthAnswer({ user: walletOwner }),
  me: () => walletOwner,
}
