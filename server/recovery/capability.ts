import { cloudRecoveries } from '@latchkey/protocol/wallet'
import type { App } from '../apps/apps.ts'
import type { Capability } from '../capability.ts'
import { recoveryPages } from './callback-page.ts'
import { cloudAddresses, recoveryEnvironment } from './environment.ts'
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
  settings: cloudRecoveries.map(
    (method) => `embeddedWalletConfig.userOwnedRecoveryOptions.${method}` as const,
  ),
}
