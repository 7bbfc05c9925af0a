import type { KyselyPlugin } from 'kysely'
import type { ServerContext } from '../kernel/context.ts'

/** Counts the statements that a context sends outside of transactions. */
export function countStatements<Context extends ServerContext>(context: Context) {
  let sent = 0
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      sent += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { context: { ...context, db: context.db.withPlugin(counting) }, statements: () => sent }
}
