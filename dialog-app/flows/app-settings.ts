/** What the app and the host decide together. A setting of the host wins where both have it. */
import {
  allowlistDefaults,
  type createOnLoginOptions,
  embeddedWallet,
  type LoginMethod,
  loginMethods,
  type UserRecord,
} from '@latchkey/protocol'
import type { Settings } from '../core.ts'
import { settingOfMethod } from '../host/idle-login-methods.ts'
import { madeMethods } from './made-methods.ts'
import type { AllowlistState } from './view-state.ts'

/** The host chooses among what the app has on, and orders it. */
export function offeredMethods({ app, config }: Settings): readonly LoginMethod[] {
  const { loginMethods: chosen, loginMethodsAndOrder: order } = config
  const wanted = order ? [...order.primary, ...(order.overflow ?? [])] : (chosen ?? loginMethods)
  const isOffered = (name: string): name is LoginMethod =>
    isLoginMethod(name) && app[settingOfMethod[name]] === true && madeMethods.has(name)
  return [...new Set(wanted.filter(isOffered))]
}

const isLoginMethod = (name: string): name is LoginMethod =>
  (loginMethods as readonly string[]).includes(name)

export function allowlistState({ app, config }: Settings): AllowlistState {
  const host = config.allowlistConfig
  const server = app.allowlistConfig
  return {
    title: host?.errorTitle ?? server.errorTitle ?? allowlistDefaults.title,
    detail: host?.errorDetail ?? server.errorDetail ?? allowlistDefaults.detail,
    button: host?.ctaText ?? server.ctaText ?? allowlistDefaults.button,
    link: host?.ctaLink ?? server.ctaLink ?? undefined,
  }
}

export const requiresTerms = ({ app, config }: Settings) =>
  config.legal?.requireUsersAcceptTerms ?? app.requireUsersAcceptTerms

type CreateOnLogin = (typeof createOnLoginOptions)[number]

const walletIsDue: { readonly [option in CreateOnLogin]: (user: UserRecord) => boolean } = {
  off: () => false,
  'all-users': (user) => embeddedWallet(user) === undefined,
  'users-without-wallets': (user) => !user.linkedAccounts.some((account) => account.type === 'wallet'),
}

export function isWalletDue({ app, config }: Settings, user: UserRecord): boolean {
  const option = config.embeddedWallets?.createOnLogin ?? app.embeddedWalletConfig.createOnLogin ?? 'off'
  return walletIsDue[option](user)
}

export const appName = ({ app, config }: Settings) => config.name ?? app.name
