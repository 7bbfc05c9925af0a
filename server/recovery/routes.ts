import { cloudWindowRoutes, recoveryRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint, replayedEndpoint } from '../http/endpoint.ts'
import { awaitedResult, beginFlow, startUrlOf } from '../login/oauth/oauth.ts'
import { redeemedToken, toRecover } from './google-drive.ts'
import { requireCloudKit, signInAddress } from './icloud.ts'

export const recoveryEndpoints: readonly Endpoint[] = [
  replayedEndpoint(cloudWindowRoutes.startCloudRecovery, {
    decide: (trx, { app, body, caller }, context) =>
      beginFlow(trx, context, app, toRecover(caller), { ...body, provider: 'google-drive' }),
    render: (begun, _call, context) => ({ url: startUrlOf(context, begun) }),
  }),

  endpoint(cloudWindowRoutes.cloudRecoveryResult, ({ app, body, caller, wait }, context) =>
    awaitedResult(context, app, toRecover(caller), body, wait),
  ),

  endpoint(recoveryRoutes.authenticateCloudRecovery, async ({ app, body, caller }, context) => ({
    accessToken: await redeemedToken(context, app, caller, body),
  })),

  endpoint(cloudWindowRoutes.startIcloudRecovery, async ({ app }, context) => ({
    url: await signInAddress(context, app),
  })),

  endpoint(recoveryRoutes.icloudConfiguration, ({ app }, context) => {
    const { apiToken, container, environment } = requireCloudKit(context, app)
    return { apiToken, containerIdentifier: container, environment }
  }),
]
