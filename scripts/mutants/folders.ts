// What is mutated, and which tests have to notice: those beside it, and the neighbours that it was made for.

type Tests = Readonly<Record<string, readonly string[]>>

export const folders: Tests = {
  'protocol/channel': ['protocol/channel'],
  'wallet-frame/vault': ['wallet-frame/vault', 'wallet-frame/bridge'],
  'wallet-frame/shares': ['wallet-frame/shares', 'wallet-frame/bridge'],
  'wallet-frame/pages': ['wallet-frame/pages', 'wallet-frame/confirm', 'wallet-frame/recovery-window'],
  'wallet-frame/confirm': ['wallet-frame/confirm'],
  'wallet-frame/cross-app': ['wallet-frame/cross-app'],
  'wallet-frame/recovery-window': ['wallet-frame/recovery-window'],
  'wallet-frame/export': ['wallet-frame/export'],
  'server/kernel/attempts': ['server/kernel/attempts'],
  'server/identity/codes': ['server/identity/codes', 'server/login'],
  'server/login': [
    'server/login',
    'server/account/verification/passkey',
    'server/account/recovery/passkey',
    'server/wallet/wallets/addresses/address-keeper.test.ts',
    'server/integrations/captcha/every-start.test.ts',
  ],
  'server/identity/sessions': ['server/identity/sessions'],
  'server/wallet/confirm': ['server/wallet/confirm'],
  'server/account/verification': ['server/account/verification'],
  'server/account/recovery': ['server/account/recovery'],
  'server/account/farcaster-signer': ['server/account/farcaster-signer'],
  'server/kernel/http': [
    'server/kernel/http',
    'server/identity/sessions',
    'server/pages/pages/pages.test.ts',
    'server/start/capability.test.ts',
  ],
}

/** Of folders below one of these: those that they were made for test them too. */
const testedBy: Tests = {
  'server/login/telegram': ['server/login/telegram', 'server/integrations/captcha/every-start.test.ts'],
  'server/login/siwe': ['server/login/siwe', 'server/wallet/wallets/addresses/address-keeper.test.ts'],
  'server/login/passkey': [
    'server/login/passkey',
    'server/account/verification/passkey',
    'server/account/recovery/passkey',
  ],
  'wallet-frame/pages/gate/gate.ts': ['wallet-frame/pages/gate/gate.test.ts'],
  'wallet-frame/pages/handshake/find-frame.ts': ['wallet-frame/pages/handshake/find-frame.test.ts'],
  'wallet-frame/pages/handshake/opened-pages.ts': [
    'wallet-frame/confirm/offers.test.ts',
    'wallet-frame/recovery-window/windows.test.ts',
  ],
  'wallet-frame/recovery-window/windows.ts': ['wallet-frame/recovery-window/windows.test.ts'],
  'wallet-frame/recovery-window/flow.ts': ['wallet-frame/recovery-window/flow.test.ts'],
  'wallet-frame/export/windows.ts': ['wallet-frame/export/windows.test.ts'],
  'wallet-frame/export/flow.ts': ['wallet-frame/export/flow.test.ts'],
  'wallet-frame/confirm/page-flow.ts': ['wallet-frame/confirm/page-flow.test.ts'],
  'wallet-frame/vault/operations/operations.ts': ['wallet-frame/vault/operations/operations.test.ts'],
  'wallet-frame/vault/device/keys.ts': ['wallet-frame/vault/device/keys.test.ts'],
  'server/wallet/confirm/decision.ts': [
    'server/wallet/confirm/confirm.test.ts',
    'server/wallet/confirm/actions.test.ts',
  ],
  'server/wallet/confirm/code/code.ts': ['server/wallet/confirm/code/code.test.ts'],
  'server/wallet/confirm/reading/action.ts': ['server/wallet/confirm/actions.test.ts'],
  'server/identity/sessions/device.ts': ['server/identity/sessions/device.test.ts'],
  'server/login/window': [
    'server/login/window',
    'server/login/telegram/window.test.ts',
    'server/login/oauth/window.test.ts',
  ],
}

/** Their tests are those of the frame in a browser and the paths of e2e, where a mutant would cost minutes. */
export const inBrowsers = [
  'wallet-frame/vault/device/indexed-db.ts',
  'wallet-frame/vault/worker.ts',
  'wallet-frame/vault/export/worker.ts',
  'wallet-frame/vault/import/worker.ts',
]

/** Of one of these; of a folder below one, its own alone; of a file, those of its folder. */
export function testsOf(path: string): readonly string[] | undefined {
  if (testedBy[path]) return testedBy[path]
  const folder = Object.keys(folders).find((known) => path === known || path.startsWith(`${known}/`))
  if (folder === undefined) return undefined
  return path === folder || path.endsWith('.ts') ? folders[folder] : [path]
}

/** Shares of the mutants of a folder that its tests have to catch. */
export const wantedShare = 0.9
