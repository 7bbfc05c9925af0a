import { cloudRecoveries } from '@latchkey/protocol/wallet'
import type { App } from '../apps/apps.ts'
import type { Capability } from '../capability.ts'
import { cloudAddresses, icloudWindowOrigin, recoveryEnvironment } from './environment.ts'
import { recoveryPasskeyEndpoints } from './passkey/routes.ts'
import { recoveryEndpoints } from './routes.ts'

const cloudsOn = ({ config: { embeddedWalletConfig: wallets } }: App) =>
  cloudRecoveries.filter((method) => wallets.userOwnedRecoveryOptions?.includes(method))

export const recovery: Capability = {
  name: 'recovery',
  endpoints: [...recoveryEndpoints, ...recoveryPasskeyEndpoints],
  environment: recoveryEnvironment,
  clouds: (app, config) =>
    Object.fromEntries(cloudsOn(app).map((method) => [method, cloudAddresses[method](config)])),
  addresses: (app, config) =>
    cloudsOn(app).includes('icloud') ? { icloudWindow: icloudWindowOrigin(config) } : {},
  settings: cloudRecoveries.map(
    (method) => `embeddedWalletConfig.userOwnedRecoveryOptions.${method}` as const,
  ),
}
