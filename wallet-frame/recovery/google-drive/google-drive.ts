/** Recovery by Google Drive. The token that opens the folder is redeemed here, and nobody else in the browser has it. */
import { LatchkeyError } from '@latchkey/protocol'
import { recoveryRoutes } from '@latchkey/protocol/api'
import { addressOf, byCloud } from '../cloud/cloud.ts'
import { driveFiles } from './files.ts'

const method = 'google-drive'

export const googleDrive = byCloud(method, async ({ api, clouds }, call, { recoveryCloud: given }) => {
  const address = addressOf(clouds.addresses, method)
  if (given?.method !== method) {
    throw new LatchkeyError('invalid_request_arguments', 'A code of Google is needed')
  }
  const { accessToken } = await api(recoveryRoutes.authenticateCloudRecovery, call, {
    ...given.code,
    provider: method,
  })
  return driveFiles(address, accessToken, clouds.fetch, call.signal)
})
