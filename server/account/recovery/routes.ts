import { cloudWindowRoutes, recoveryRoutes } from '@latchkey/protocol/api'
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts'
import { googleAddress, redeemedToken } from './google-drive.ts'
import { appleAddress, requireCloudKit } from './icloud.ts'

export const recoveryEndpoints: readonly Endpoint[] = [
  endpoint(cloudWindowRoutes.startCloudRecovery, ({ app, body }, context) => ({
    url: googleAddress(context, app, body),
  })),

  endpoint(cloudWindowRoutes.startIcloudRecovery, ({ app }, context) => appleAddress(context, app)),

  endpoint(recoveryRoutes.authenticateCloudRecovery, async ({ app, body }, context) => ({
    accessToken: await redeemedToken(context, app, body),
  })),

  endpoint(recoveryRoutes.icloudConfiguration, ({ app }, context) => {
    const { apiToken, container, environment } = requireCloudKit(context, app)
    return { apiToken, containerIdentifier: container, environment }
  }),
]
