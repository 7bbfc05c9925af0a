/** Readiness of this process, with explanations for operators. */
import { setTimeout as sleep } from 'node:timers/promises'
import { product } from '@latchkey/protocol'
import type { Release } from '../../kernel/config.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { gauge } from '../../kernel/telemetry/instruments.ts'
import type { PageCheck } from '../../pages/pages/pages.ts'
import { healthLimits } from './limits.ts'

export type Readiness = {
  ready: boolean
  release: Release
  problems: readonly string[]
  /** All of these must be met. */
  checks: Readonly<Record<CheckName, Check>>
}
type Check = { met: boolean; means: string }

const meanings = {
  serving: 'The process takes calls and is not shutting down',
  database: 'The database answers and has the tables of this release',
  keys: 'The master key file opens the keys in the database',
  pages: 'The pages of dialog, wallet and loader are built',
} as const
type CheckName = keyof typeof meanings
const checkNames = Object.keys(meanings) as readonly CheckName[]

export type ProcessState = {
  isMigrated: () => Promise<boolean>
  /** Whether it is shutting down: it still serves, but must get no new traffic. */
  isEnding?: () => boolean
  /** Whether the current master key file and keys were read successfully. */
  hasKeys?: () => boolean
  /** Receives the readiness check, for metrics. */
  watch?: (ready: () => Promise<Readiness>) => void
}

export async function readiness(
  context: ServerContext,
  { isMigrated, isEnding, hasKeys }: ProcessState,
  missingPages: PageCheck,
): Promise<Readiness> {
  const problemsByCheck: Readonly<Record<CheckName, readonly string[]>> = {
    serving: isEnding?.() ? ['This process is shutting down'] : [],
    database: await databaseProblems(context, isMigrated),
    keys: [
      ...(hasKeys?.() === false
        ? ['The keys cannot be read: put the master key file of rotate prepare on this machine']
        : []),
      ...keyProblems(context),
    ],
    pages: missingPages(),
  }
  const problems = checkNames.flatMap((name) => problemsByCheck[name])
  const checks = Object.fromEntries(
    checkNames.map((name) => [name, { met: problemsByCheck[name].length === 0, means: meanings[name] }]),
  ) as Record<CheckName, Check>
  return { ready: problems.length === 0, release: context.config.release, problems, checks }
}

/**
 * Caches the database check for a moment, so that frequent polling does not load the database. A shutdown is reported
 * immediately.
 */
export function cacheReadiness(
  context: ServerContext,
  { isMigrated, ...state }: ProcessState,
  missingPages: PageCheck,
): () => Promise<Readiness> {
  let cachedCheck: { answer: Promise<boolean>; atMs: number } | undefined
  const isMigratedNow = () => {
    const nowMs = performance.now()
    if (cachedCheck === undefined || nowMs - cachedCheck.atMs >= healthLimits.cachedMs) {
      cachedCheck = { answer: isMigrated(), atMs: nowMs }
    }
    return cachedCheck.answer
  }
  let loggedProblems = ''
  return async () => {
    const current = await readiness(context, { ...state, isMigrated: isMigratedNow }, missingPages)
    const problems = current.problems.join('; ')
    if (problems !== loggedProblems) {
      loggedProblems = problems
      if (current.ready) context.log.info('ready again')
      else context.log[state.isEnding?.() ? 'info' : 'warn']({ problems }, 'not ready')
    }
    return current
  }
}

async function databaseProblems({ log }: ServerContext, isMigrated: () => Promise<boolean>) {
  try {
    return (await isMigrated()) ? [] : ['The database has tables of an earlier release']
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
    return ['The server has no keys in use. Run: latchkey keys show']
  }
}

const met = gauge({
  name: `${product.key}.ready`,
  unit: '{check}',
  description: 'Readiness of this process: 1 for each passed check of /readyz, else 0',
  attributes: ['check'],
})

/**
 * Reports the database as not ready after the deadline, before the metrics scrape times out. Returns a stop function.
 */
export const watchReadiness = (
  ready: () => Promise<Readiness>,
  deadlineMs: number = healthLimits.metricsDeadlineMs,
): (() => void) =>
  met.observe(async () => {
    const current = await Promise.race([ready(), sleep(deadlineMs, undefined, { ref: false })])
    if (!current) return [{ value: 0, values: { check: 'database' } }]
    return checkNames.map((check) => ({ value: current.checks[check].met ? 1 : 0, values: { check } }))
  })
