/** Rotates the pepper and advances the clock until the new one is in use. */

import type { TestContext } from '../../../testing/context.ts'
import type { Database } from '../../db/database.ts'
import { rotatePepper } from '../rotation.ts'

export async function newPepper(context: TestContext, database: Database): Promise<string> {
  const { kms, clock, keyring } = context
  const pepper = await rotatePepper({ database, kms, clock })
  await keyring.refresh()
  clock.advanceSeconds(1_200)
  return pepper
}
