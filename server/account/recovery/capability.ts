import { cloudWindowRoutes, recoveryRoutes } from '@latchkey/protocol/api'
import { cloudCallbackPath, cloudChannel, cloudRecoveries } from '@latchkey/protocol/wallet'
import type { App } from '../../identity/apps/apps.ts'
import { type Capability, port } from '../../kernel/capability.ts'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { type Page, page } from '../../kernel/http/pages/page.ts'
import { windowFile, windowHeaders, windowPage, windowPolicy } from '../../login/window/window.ts'
import { walletPasskey } from '../../wallet/confirm/confirm.ts'
import { cloudAddresses, recoveryEnvironment } from './environment.ts'
import { getGoogleUrl, redeemCode } from './google-drive.ts'
import { getAppleSignInUrl, requireCloudKit } from './icloud.ts'
import { approvingPasskey } from './passkey/approving.ts'
import { recoveryPasskeyEndpoints } from './passkey/routes.ts'

const recoveryEndpoints: readonly Endpoint[] = [
  endpoint(cloudWindowRoutes.startCloudRecovery, ({ app, body }, context) => ({
    url: getGoogleUrl(context, app, body),
  })),

  endpoint(cloudWindowRoutes.startIcloudRecovery, ({ app }, context) => getAppleSignInUrl(context, app)),

  endpoint(recoveryRoutes.authenticateCloudRecovery, async ({ app, body }, context) => ({
    accessToken: await redeemCode(context, app, body),
  })),

  endpoint(recoveryRoutes.icloudConfiguration, ({ app }, context) => {
    const { apiToken, container, environment } = requireCloudKit(context, app)
    return { apiToken, containerIdentifier: container, environment }
  }),
]

/** The round trip of a message to the waiting window. */
const heardWithinMs = 3_000

/**
 * Google redirects to this page of the wallet origin. The page forwards the response to the window with the state, over
 * a same-origin broadcast channel. The server does not read it.
 */
const recoveryPages: readonly Page[] = [
  page({
    site: 'wallet',
    method: 'GET',
    path: cloudCallbackPath,
    openedBy: 'anybody',
    policy: windowPolicy(),
    headers: windowHeaders,
    answer: ({ c }) =>
      windowPage(c, 'answered', {
        name: 'Google Drive',
        // Shown if no window of this browser waits for the response.
        late: 'foreign',
        script: {
          src: '/recovery/callback.js',
          data: {
            'data-channel': cloudChannel.name,
            'data-answer': cloudChannel.answer,
            'data-heard': cloudChannel.heard,
            'data-wait-ms': String(heardWithinMs),
          },
        },
      }),
  }),
  windowFile('/recovery/callback.js', new URL('./page/', import.meta.url), 'callback.js', 'wallet'),
]

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
