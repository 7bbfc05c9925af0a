/** Playwright's `test` with a new Latchkey user for each test, and the configuration. */
import type { ProductAddresses } from '@latchkey/sandbox'
import { test as base } from '@playwright/test'
import { Latchkey, requireProduct } from './latchkey.ts'

export { expect } from '@playwright/test'
export { type AuthenticatorApp, authenticatorApp } from './authenticator-app.ts'
export type { WindowMethod } from './card.ts'
export { type LatchkeyConfig, type LatchkeyOptions, latchkey } from './config.ts'
export type { Latchkey, LoginOptions, TestUser } from './latchkey.ts'

type Options = { latchkeyProduct: ProductAddresses | undefined }
type Fixtures = { latchkey: Latchkey }

export const test = base.extend<Fixtures, Options>({
  latchkeyProduct: [undefined, { option: true, scope: 'worker' }],
  async latchkey({ page, latchkeyProduct, baseURL }, use) {
    const latchkey = new Latchkey(page, requireProduct(latchkeyProduct), baseURL)
    await use(latchkey)
    await latchkey.end()
  },
})
