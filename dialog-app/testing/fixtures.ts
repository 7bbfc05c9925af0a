import {
  type AppConfig,
  type ClientConfig,
  type DialogInlineConfig,
  defaultAppSettings,
  type UserRecord,
  type WalletAccount,
} from '@latchkey/protocol'
import type { AuthAnswer, RefreshAnswer } from '@latchkey/protocol/api'
import { toBase64url } from '../browser/base64url.ts'
import type { Settings } from '../host/settings.ts'

export const appId = 'lkdemo0000000000000000001'
export const otherAppId = 'lkdemo0000000000000000002'
export const startSeconds = Date.UTC(2026, 0, 1) / 1_000

const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
export const walletAddress = '0x52908400098527886E0F7030069857D2E4169EE7'
export const walletAccount: WalletAccount = {
  type: 'wallet',
  address: walletAddress,
  chainType: 'ethereum',
  chainId: 'eip155:1',
  walletClient: 'latchkey',
  walletClientType: 'latchkey',
  connectorType: 'embedded',
  imported: false,
  walletIndex: 0,
  recoveryMethod: 'latchkey',
  ...times,
}

/** The address of the seed phrase 'abandon … about'. */
export const solanaAddress = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'
export const solanaAccount: WalletAccount = {
  type: 'wallet',
  address: solanaAddress,
  publicKey: solanaAddress,
  chainType: 'solana',
  walletClientType: 'latchkey',
  connectorType: 'embedded',
  imported: false,
  recoveryMethod: 'latchkey',
  ...times,
}

export const visitorUser: UserRecord = {
  id: 'user-1',
  createdAt: 1,
  linkedAccounts: [{ type: 'email', address: 'ada@example.org', ...times }],
  mfaMethods: [],
  hasAcceptedTerms: false,
}
export const walletUser: UserRecord = {
  ...visitorUser,
  linkedAccounts: [...visitorUser.linkedAccounts, walletAccount],
}

type TokenChanges = { exp?: number; aud?: string; client_id?: string | undefined; sub?: string; jti?: string }

/** A dialog token as the browser parses it. No test verifies its signature. */
export function makeToken(claims: TokenChanges = {}): string {
  const encode = (value: unknown) => toBase64url(new TextEncoder().encode(JSON.stringify(value)))
  const payload = {
    sub: visitorUser.id,
    iss: 'http://dialog.localhost:4000',
    aud: 'http://dialog.localhost:4000',
    client_id: appId,
    iat: startSeconds,
    exp: startSeconds + 900,
    sid: 'session-1',
    scope: 'dialog',
    ...claims,
  }
  return `${encode({ alg: 'ES256' })}.${encode(payload)}.c2ln`
}

export const makeAuthAnswer = (change: Partial<AuthAnswer> = {}): AuthAnswer => ({
  user: visitorUser,
  token: makeToken(),
  refreshToken: 'refresh-1',
  hostToken: makeToken({ jti: 'host' }),
  isNewUser: true,
  ...change,
})

export const makeRefreshAnswer = (change: Partial<RefreshAnswer> = {}): RefreshAnswer => ({
  user: visitorUser,
  token: makeToken({ jti: 'refreshed' }),
  refreshToken: 'refresh-2',
  hostToken: makeToken({ jti: 'host-refreshed' }),
  sessionUpdateAction: 'set',
  ...change,
})

export const appConfig: AppConfig = {
  ...defaultAppSettings,
  id: appId,
  name: 'Demo',
  verificationKey: 'key',
  createdAt: 1,
  updatedAt: 1,
  embeddedWalletConfig: {},
}

export const inlineConfig: DialogInlineConfig = {
  app: appConfig,
  hostOrigin: 'http://demo.localhost:4010',
  dialogOrigin: 'http://dialog.localhost:4000',
  walletOrigin: 'http://wallet.localhost:4000',
  apiOrigin: 'http://dialog.localhost:4000',
  sessionMode: 'storage',
  isolated: false,
  addresses: {},
}

export const makeSettings = (app: Partial<AppConfig> = {}, config: ClientConfig = {}): Settings => ({
  app: { ...appConfig, ...app },
  config,
  hostColorScheme: 'normal',
  ownOrigins: ['http://dialog.localhost:4000', 'http://wallet.localhost:4000'],
  pageAddress: undefined,
  hostOrigin: null,
  walletOrigin: 'http://wallet.localhost:4000',
  addresses: {},
})
