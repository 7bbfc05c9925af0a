/** The window in which a user uses a wallet of another app. */

import type { Inbox } from '@latchkey/sandbox'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { Hex } from 'viem'
import type { HostPage } from './host-page.ts'
import { openWindow } from './login-window.ts'
import { beginCall, setConfig } from './page-calls.ts'
import { pressGated } from './pointer.ts'

/** Logs in at the provider, on the first page of the window. */
export async function logInAtProvider(window: Page, inbox: Inbox) {
  const email = window.getByRole('textbox', { name: /e-?mail/i })
  await email.fill(inbox.address)
  await email.press('Enter')
  await expect(window.getByRole('group', { name: /code/i }).getByRole('textbox').first()).toBeFocused()
  await window.keyboard.type(await inbox.nextCode())
}

export const approve = (window: Page, name: string) =>
  pressGated(window.getByRole('button', { name, exact: true }))

export type Place = { context: BrowserContext; host: HostPage; page: Page }

export async function openHost({ host, page }: Place, method: string) {
  await host.openOneLine()
  await setConfig(page, { loginMethods: ['email', method] })
}

type CrossApp = {
  type: string
  subject: string
  embeddedWallets: readonly { address: Hex }[]
}
type User = { linkedAccounts: readonly CrossApp[] }

export function getCrossAppWallet(user: User | undefined) {
  const account = user?.linkedAccounts.find(({ type }) => type === 'cross_app')
  const address = account?.embeddedWallets[0]?.address
  if (!account || address === undefined) throw new Error('No cross-app wallet is linked')
  return { subject: account.subject, address }
}

export type LoggedIn = { user?: { user: User }; code?: string }

/** Goes from LANDING to the consent on the wallet page. */
export async function toConsent({ context, host, page }: Place, inbox: Inbox) {
  const login = await beginCall<LoggedIn>(page, 'login')
  const window = await openWindow(context, host.methodRow('Wharf'))
  await logInAtProvider(window, inbox)
  await expect(window.getByRole('heading', { name: 'Let this app use your wallet?' })).toBeVisible()
  return { login, window }
}

export async function logInWithWharf(place: Place, method: string, inbox: Inbox, allow = 'Allow') {
  await openHost(place, method)
  const { login, window } = await toConsent(place, inbox)
  await approve(window, allow)
  const ended = await login()
  await place.host.dialogCloses()
  return getCrossAppWallet(ended.user?.user)
}

/** Starts a request of the page. Returns the provider's window. */
export async function request<Answer>(place: Place, name: string, ...args: readonly unknown[]) {
  const call = await beginCall<{ user?: Answer; code?: string }>(place.page, name, ...args)
  const opens = place.host.dialog.getByRole('button', { name: 'Continue with Wharf' })
  return { asked: call, window: await openWindow(place.context, opens) }
}
