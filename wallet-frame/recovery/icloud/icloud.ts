/** Recovery by iCloud. Apple's own window gave the session to a window of this origin, which passed it on here. */
import { LatchkeyError } from '@latchkey/protocol'
import { recoveryRoutes } from '@latchkey/protocol/api'
import { addressOf, byCloud } from '../cloud/cloud.ts'
import { cloudKitFiles } from './files.ts'

const method = 'icloud'

export const icloud = byCloud(method, async ({ api, clouds }, call, { recoveryCloud: given }) => {
  const address = addressOf(clouds.addresses, method)
  if (given?.method !== method) {
    throw new LatchkeyError('invalid_request_arguments', 'A session of iCloud is needed')
  }
  const {
    apiToken,
    containerIdentifier: container,
    environment,
  } = await api(recoveryRoutes.icloudConfiguration, call, { clientType: 'web' })
  const kit = { address, container, environment, apiToken, session: given.session }
  return cloudKitFiles(kit, clouds.fetch, call.signal)
})
