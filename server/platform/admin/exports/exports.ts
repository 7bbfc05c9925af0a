/** Exports users. Imports with the source `latchkey` read the lines, so that an app can move to another server. */
import type { AdminExportedUser } from '@latchkey/protocol/admin'
import { readUsersBatch, type UserPosition } from '../../../identity/users/users.ts'
import type { Reader } from '../../../kernel/ports.ts'
import { formatPosition } from '../pages.ts'
import { describeWholeUsers } from '../user-objects.ts'

const batchUsers = 500

/** Yields the users after a position, oldest first. Each batch is read by its key, so the time grows linearly. */
export async function* readExportBatches(
  reader: Reader,
  appId: string,
  after: UserPosition | undefined,
): AsyncGenerator<AdminExportedUser[]> {
  for (let position = after; ; ) {
    const users = await readUsersBatch(reader, appId, position, batchUsers)
    const last = users.at(-1)
    if (last === undefined) return
    const positions = new Map(users.map(({ userId, createdAt }) => [userId, { at: createdAt, id: userId }]))
    const described = await describeWholeUsers(reader, users)
    yield described.map((user) => {
      const own = positions.get(user.id)
      return { cursor: own === undefined ? '' : formatPosition(own), ...user }
    })
    position = { at: last.createdAt, id: last.userId }
  }
}
