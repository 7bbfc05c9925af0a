/** Whether this process can serve, in words for whoever operates it. */
import type { ServerContext } from '../context.ts'
import type { PageCheck } from '../pages/pages.ts'

export type Readiness = { readonly ready: boolean; readonly problems: readonly string[] }

export type ProcessState = {
  readonly isMigrated: () => Promise<boolean>
  /** It still serves, and nobody should be sent here any more. */
  readonly isEnding?: () => boolean
}

export async function readiness(
  context: ServerContext,
  { isMigrated, isEnding }: ProcessState,
  missingPages: PageCheck,
): Promise<Readiness> {
  const problems = [
    ...(isEnding?.() ? ['This process is about to end'] : []),
    ...(await databaseProblems(context, isMigrated)),
    ...keyProblems(context),
    ...missingPages(),
  ]
  return { ready: problems.length === 0, problems }
}

async function databaseProblems({ log }: ServerContext, isMigrated: () => Promise<boolean>) {
  try {
    return (await isMigrated()) ? [] : ['The tables of the database are older than this server']
  } catch (error) {
    log.warn({ error }, 'The database does not answer')
    return ['The database does not answer']
  }
}

function keyProblems({ keyring }: ServerContext): readonly string[] {
  try {
    keyring.signingKey()
    keyring.sealingKey()
    return []
  } catch {
    return ['The server has no keys in use: npm run keys -- show']
  }
}
