/** What a test does with Latchkey: as its user, as the third parties, and as the operator. */

import {
  type Chain,
  chainAt,
  type Inbox,
  openInbox,
  openPhone,
  type ProductAddresses,
  runByControl,
  setFaults,
} from '@latchkey/sandbox'
import type { BrowserContext, Page } from '@playwright/test'
import { type AuthenticatorApp, authenticatorApp } from './authenticator-app.ts'
import { Card, type WindowMethod } from './card.ts'

export type TestUser = {
  name: string
  email: string
  /** As `+12025550123`. */
  phone: string
}

export type LoginOptions = {
  /** How; by e-mail if it is not given. */
  via?: 'email' | 'sms' | WindowMethod
  /** Gives the user this verification method afterwards: `verify()` types its code. */
  mfa?: 'totp'
}

/** A page of the app's origin that no app has: a second tab, which shares session and wallet with the first. */
const ownPath = '/__latchkey_testing'

type Handle = {
  login: () => Promise<unknown>
  showMfaEnrollment: () => Promise<unknown>
  getUser: () => Promise<{ wallet?: { address: string } } | null>
}

export class Latchkey {
  readonly product: ProductAddresses
  /** Whom nobody else is, so tests may run side by side. */
  readonly user: TestUser
  /** The mails to the user, and the texts to their number. */
  readonly inbox: Inbox
  readonly phone: Inbox
  readonly chain: Chain
  readonly card: Card
  readonly #page: Page
  readonly #baseUrl: string | undefined
  #app: AuthenticatorApp | undefined
  readonly #faults = new Set<string>()

  constructor(page: Page, product: ProductAddresses, baseUrl: string | undefined) {
    this.product = product
    this.inbox = openInbox(product.sandboxUrl)
    this.phone = openPhone(product.sandboxUrl)
    const [name = ''] = this.inbox.address.split('@')
    this.user = { name, email: this.inbox.address, phone: this.phone.address }
    this.chain = chainAt(product.chainUrl)
    this.card = new Card(page, product.dialogUrl)
    this.#page = page
    this.#baseUrl = baseUrl
  }

  get #context(): BrowserContext {
    return this.#page.context()
  }

  /** Logs in with the dialog that your page has opened, until it is closed again and the wallet is there. */
  async login({ via = 'email', mfa }: LoginOptions = {}): Promise<void> {
    await this.#logInWith(this.card, via)
    if (mfa !== undefined) await this.#inOwnPage((page, card) => this.#enrol(page, card))
  }

  /**
   * Logs in without a screen in your page: in another tab of its origin, which shares session and wallet with it. Open
   * your page afterwards, or before: then it hears of the login.
   */
  async session({ via = 'email', mfa }: LoginOptions = {}): Promise<void> {
    await this.#inOwnPage(async (page, card) => {
      const loggedIn = page.evaluate(async () => {
        const handle: unknown = Reflect.get(globalThis, 'latchkey')
        await (handle as Handle).login()
      })
      await Promise.all([loggedIn, this.#logInWith(card, via)])
      if (mfa !== undefined) await this.#enrol(page, card)
    })
  }

  async #logInWith(card: Card, via: NonNullable<LoginOptions['via']>) {
    switch (via) {
      case 'email':
        await card.sendEmail(this.user.email)
        await card.typeCode(await this.inbox.nextCode())
        break
      case 'sms':
        await card.sendSms(this.user.phone)
        await card.typeCode(await this.phone.nextCode())
        break
      default:
        await card.logInAt(via, this.user.name)
    }
    await card.readOn()
  }

  /** Approves what your page asks to sign or to send, on the card or in the window of the wallet. */
  async approve(): Promise<void> {
    await this.card.approve(this.#context)
  }

  /** Closes what is asked for, so that it is refused. */
  async reject(): Promise<void> {
    await this.card.reject()
  }

  /** Types the code of the authenticator app, where the card asks for it. */
  async verify(): Promise<void> {
    if (this.#app === undefined) throw new Error("The user has no authenticator app: login({ mfa: 'totp' })")
    await this.card.typeCode(this.#app.code())
  }

  /** The address of the user's wallet. */
  async wallet(): Promise<`0x${string}`> {
    return this.#inOwnPage(async (page) => {
      const address = await page.evaluate(async () => {
        const handle: unknown = Reflect.get(globalThis, 'latchkey')
        const user = await (handle as Handle).getUser()
        return user?.wallet?.address
      })
      if (address === undefined) throw new Error('The user has no wallet')
      return address as `0x${string}`
    })
  }

  /** What the user's wallet has of the chain's coin, in wei. */
  async balance(): Promise<bigint> {
    return this.chain.balance(await this.wallet())
  }

  async setBalance(wei: bigint): Promise<void> {
    await this.chain.setBalance(await this.wallet(), wei)
  }

  /**
   * Lets third parties fail until the test ends: `{ smtp: 'stall' }`. Tests that run at the same time meet the same
   * third parties.
   */
  async fail(faults: Readonly<Record<string, string>>): Promise<void> {
    await setFaults(this.product.sandboxUrl, faults)
    for (const name of Object.keys(faults)) this.#faults.add(name)
  }

  /** The operator's command, as `npm run app --`. What it changes holds for all tests. */
  async app(...args: readonly string[]): Promise<string> {
    return runByControl(this.product.controlUrl, args)
  }

  /** Changes settings of the app: `theme=dark`. They hold for all tests. */
  async set(...settings: readonly string[]): Promise<void> {
    await this.app('set', this.product.appId, ...settings)
  }

  /**
   * A passkey device of the browser, which recognises its user. Chromium alone has virtual ones; elsewhere this is an
   * error, and never a device that does nothing.
   */
  async addPasskeyDevice(): Promise<void> {
    const browser = this.#context.browser()?.browserType().name()
    if (browser !== 'chromium')
      throw new Error(`Only Chromium has virtual passkey devices, and this is ${browser}`)
    const cdp = await this.#context.newCDPSession(this.#page)
    await cdp.send('WebAuthn.enable')
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  }

  /** @internal Makes right again what this test let fail. */
  async end(): Promise<void> {
    if (this.#faults.size === 0) return
    await setFaults(
      this.product.sandboxUrl,
      Object.fromEntries([...this.#faults].map((name) => [name, 'none'])),
    )
  }

  async #enrol(page: Page, card: Card) {
    const enrolled = page.evaluate(async () => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      await (handle as Handle).showMfaEnrollment()
    })
    await Promise.all([enrolled, this.#addApp(card)])
  }

  async #addApp(card: Card) {
    await card.press(card.button('Continue'))
    await card.press(card.button(/^Authenticator App/))
    const secret = card.shown.getByText(/^(?:[A-Z2-7]{1,4} ?){4,}$/)
    this.#app = authenticatorApp((await secret.textContent()) ?? '')
    await card.press(card.button('Continue'))
    // The code of the step before: that of now is left for `verify()`, since each counts once.
    await card.typeCode(this.#app.code(-1))
    await card.press(card.button('Done'))
    await card.closes()
  }

  /** In a tab of the app's origin with nothing but the loader, which is closed again. */
  async #inOwnPage<Answer>(act: (page: Page, card: Card) => Promise<Answer>): Promise<Answer> {
    const { dialogUrl, appId } = this.product
    const at = this.#page.url().startsWith('http') ? this.#page.url() : this.#baseUrl
    if (at === undefined) throw new Error('Open your page first, or set baseURL in your configuration')
    const url = new URL(ownPath, at).href
    const body = `<!doctype html><title>Latchkey testing</title><script src="${dialogUrl}/loader/v1/loader.js" data-app-id="${appId}" async></script>`
    await this.#context.route(url, (route) => route.fulfill({ contentType: 'text/html', body }))
    const page = await this.#context.newPage()
    try {
      await page.goto(url)
      await page.waitForFunction(() => Reflect.get(globalThis, 'latchkey') !== undefined)
      return await act(page, new Card(page, dialogUrl))
    } finally {
      await page.close()
      await this.#context.unroute(url)
      if (!this.#page.isClosed()) await this.#page.bringToFront()
    }
  }
}

/** Says what to do, in place of a wait for a product that was never started. */
export function productOf(product: ProductAddresses | undefined): ProductAddresses {
  if (product !== undefined) return product
  throw new Error("Give `use` of your configuration `...product.use`, of `await latchkey({ origin: '…' })`")
}
