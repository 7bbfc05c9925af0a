/**
 * The loss of everything but a backup and the key file: both go to another folder and another database, a server starts
 * there, and a user logs in and signs.
 */
import { openConnections } from '../client/http.ts'
import { logInElsewhere, type Place, putMessage, releaseShares, signApproved } from '../client/user.ts'
import type { Fleet } from './fleet.ts'
import type { Ledger } from './ledger.ts'

export async function restoreElsewhere(
  fleet: Fleet,
  { accounts, lose }: Ledger,
  place: Place,
): Promise<string> {
  const account = accounts.findLast(({ address }) => address !== undefined)
  if (account?.address === undefined) return 'no user had a wallet'
  const { address, user } = account
  const restored = await fleet.restoreElsewhere()
  const connections = openConnections(restored.port, 1)
  try {
    const there: Place = { ...place, connections }
    const elsewhere = await logInElsewhere(there, user.email)
    if (elsewhere.userId !== user.userId) lose(`${user.email} is somebody else in the restored database`)
    await releaseShares(there, elsewhere, address)
    await signApproved(there, elsewhere, address, await putMessage(there, elsewhere, address, 'Still here'))
    return 'a user logged in and signed'
  } catch (error) {
    lose(`the restored database: ${error instanceof Error ? error.message : error}`)
    return 'lost'
  } finally {
    connections.close()
    await restored.stop()
  }
}
