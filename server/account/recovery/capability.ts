import { cloudRecoveries } from '@latchkey/protocol/wallet'
import type { App } from '../../identity/apps/apps.ts'
import { type Capability, port } from '../../kernel/capability.ts'
import { walletPasskey } from '../../wallet/confirm/confirm.ts'
import { recoveryPages } from './callback-page.ts'
import { cloudAddresses, recoveryEnvironment } from './environment.ts'
import { approvingPasskey } from './passkey/approving.ts'
import { recoveryPasskeyEndpoints } from './passkey/routes.ts'
import { recoveryEndpoints } from './routes.ts'

const cloudsOn = ({ config: { embeddedWalletConfig: wallets } }: App) =>
  cloudRecoveries.filter((method) => wallets.userOwnedRecoveryOptions?.includes(method))

export const recovery: Capability = {
  name: 'recovery',
  endpoints: [...recoveryEndpoints, ...recoveryPasskeyEndpoints],
  pages: recoveryPages,
  environment: recoveryEnvironment,
  clouds: (app, config) =>
    Object.fromEntries(cloudsOn(app).map((method) => [method, cloudAddresses[method](config)])),
  ports: [port(walletPasskey, () => ({ value: approvingPasskey }))],
  settings: cloudRecoveries.map(
    (method) => `embeddedWalletConfig.userOwnedRecoveryOptions.${method}` as const,
  ),
}
