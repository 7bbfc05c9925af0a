/** The fixture of a test: acts as the user, the third parties and the operator. */

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
  /** A phone number such as `+12025550123`. */
  phone: string
}

export type LoginOptions = {
  /** The login method. Defaults to e-mail. */
  via?: 'email' | 'sms' | WindowMethod
  /** Enrolls the user in this MFA method after login. `verify()` then types its code. */
  mfa?: 'totp'
}

/** A path that no app uses, for a second tab of the app's origin that shares session and wallet. */
const ownPath = '/__latchkey_testing'

type Handle = {
  login: () => Promise<unknown>
  showMfaEnrollment: () => Promise<unknown>
  getUser: () => Promise<{ wallet?: { address: string } } | null>
}

export class Latchkey {
  readonly product: ProductAddresses
  /** A new user for each test, so that tests can run in parallel. */
  readonly user: TestUser
  /** The mails to the user. */
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

  /** Logs in with the dialog that your page has opened. Resolves when it has closed and the wallet exists. */
  async login({ via = 'email', mfa }: LoginOptions = {}): Promise<void> {
    await this.#logInWith(this.card, via)
    if (mfa !== undefined) await this.#inOwnPage((page, card) => this.#enrol(page, card))
  }

  /**
   * Logs in without a screen in your page, in another tab of its origin that shares session and wallet. A page
   * that is already open receives the login event.
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

  /** Approves your page's signature or transaction, on the card or on the confirmation page. */
  async approve(): Promise<void> {
    await this.card.approve(this.#context)
  }

  /** Closes the card, which rejects the request. */
  async reject(): Promise<void> {
    await this.card.reject()
  }

  /** Types the code of the authenticator app into the card. */
  async verify(): Promise<void> {
    if (this.#app === undefined) throw new Error("The user has no authenticator app: login({ mfa: 'totp' })")
    await this.card.typeCode(this.#app.code())
  }

  /** Returns the address of the user's wallet. */
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

  /** Returns the wallet's balance in wei. */
  async balance(): Promise<bigint> {
    return this.chain.balance(await this.wallet())
  }

  async setBalance(wei: bigint): Promise<void> {
    await this.chain.setBalance(await this.wallet(), wei)
  }

  /**
   * Makes third parties fail until the test ends: `{ smtp: 'stall' }`. Concurrent tests share the third
   * parties.
   */
  async fail(faults: Readonly<Record<string, string>>): Promise<void> {
    await setFaults(this.product.sandboxUrl, faults)
    for (const name of Object.keys(faults)) this.#faults.add(name)
  }

  /** Runs an operator command like `npm run app --`. Its changes affect all tests. */
  async app(...args: string[]): Promise<string> {
    return runByControl(this.product.controlUrl, args)
  }

  /** Changes app settings: `theme=dark`. They affect all tests. */
  async set(...settings: string[]): Promise<void> {
    await this.app('set', this.product.appId, ...settings)
  }

  /**
   * Adds a virtual passkey device with user verification. Throws outside Chromium, the only browser with
   * virtual devices.
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

  /** @internal Ends the failures that this test has started. */
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
    await card.typeCode(this.#app.code())
    await card.press(card.button('Done'))
    await card.closes()
  }

  /** Runs a function in a temporary tab of the app's origin that contains only the loader. */
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

/** Returns the product. Throws with instructions if the configuration lacks it. */
export function requireProduct(product: ProductAddresses | undefined): ProductAddresses {
  if (product !== undefined) return product
  throw new Error("Give `use` of your configuration `...product.use`, of `await latchkey({ origin: '…' })`")
}
