/**
 * Sends due deliveries. Any number of processes may run a worker on one database: a lease gives each attempt to one
 * process. Delivery is at least once: an attempt without a stored outcome is repeated with the same
 * `webhook-id`.
 */
import { product } from '@latchkey/protocol'
import { pausedError } from '../../identity/outbox/outbox.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { isUnavailable } from '../../kernel/db/failures.ts'
import { shutdownLimits } from '../../kernel/limits.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { isPublicUrl, ssrfSafeFetch } from '../../kernel/ssrf-safe-fetch.ts'
import { getErrorType } from '../../kernel/third-party-metrics.ts'
import {
  clearFailing,
  deleteDelivery,
  insertAttempt,
  type LeasedDelivery,
  leaseDeliveries,
  markFailing,
  oldestDueMs,
  storeOutcome,
} from './deliveries.ts'
import { webhookEnvironment } from './environment.ts'
import { webhookLimits } from './limits.ts'
import { webhookAttempts, webhookDelay, webhookPauses } from './metrics.ts'
import { openSecret, signDelivery } from './signing.ts'
import { findSecrets, pauseWebhook } from './store.ts'

/** The answer of a receiver, or the reason why there is none. */
type Answer = { status: number; retryAfterMs: number | undefined } | { status: null; error: string }

type WorkerOptions = {
  /** Returns a number from 0 to 1 for the jitter of retries. */
  random?: () => number
  fetch?: typeof ssrfSafeFetch
}

export function createDeliveryWorker(
  context: ServerContext,
  { random = Math.random, fetch: request = ssrfSafeFetch }: WorkerOptions = {},
) {
  const { clock, config, db, kms, log } = context
  const allowsThisMachine = webhookEnvironment.read(config).WEBHOOKS_TO_THIS_MACHINE === 'true'
  /** Running attempts, each with its webhook. */
  const running = new Map<Promise<void>, string>()
  const aborted = new AbortController()
  let isStopped = false
  let polling: Promise<void> | undefined
  let mustPollAgain = false

  const stopObserving = webhookDelay.observe(async () => {
    const dueMs = await oldestDueMs(db, clock)
    return [{ value: dueMs === undefined ? 0 : (clock.nowMs() - dueMs) / 1_000, values: {} }]
  })

  /** Starts attempts of due deliveries, without waiting for their ends. */
  function poll(): Promise<void> {
    mustPollAgain = true
    polling ??= pollUntilCurrent()
      .catch((error: unknown) => {
        // Readiness reports an unreachable database. A line for each poll would fill the log.
        if (!isUnavailable(error)) log.error({ error }, 'due webhooks were not read')
      })
      .finally(() => {
        polling = undefined
      })
    return polling
  }

  /** Polls again if an attempt ended meanwhile, because its webhook may have been left out. */
  async function pollUntilCurrent(): Promise<void> {
    while (mustPollAgain) {
      mustPollAgain = false
      await startAttempts()
    }
  }

  async function startAttempts(): Promise<void> {
    while (!isStopped) {
      const limit = Math.min(webhookLimits.attempts - running.size, webhookLimits.attemptsPerWebhook)
      if (limit <= 0) return
      const leased = await leaseDeliveries(context, limit, findBusyWebhooks())
      if (leased.length === 0) return
      for (const delivery of leased) start(delivery)
    }
  }

  const countAttempts = (webhookId: string) =>
    [...running.values()].filter((each) => each === webhookId).length

  const findBusyWebhooks = () =>
    [...new Set(running.values())].filter(
      (webhookId) => countAttempts(webhookId) >= webhookLimits.attemptsPerWebhook,
    )

  function start(delivery: LeasedDelivery): void {
    const attempt = deliver(delivery)
      .catch((error: unknown) =>
        // The lease ends, and the delivery is attempted again.
        log.error({ error, webhook: delivery.webhookId }, 'the outcome of a webhook was not stored'),
      )
      .finally(() => {
        running.delete(attempt)
        // Not after every attempt, so that one transaction leases several deliveries.
        const isIdle = countAttempts(delivery.webhookId) <= webhookLimits.attemptsPerWebhook / 2
        if (isIdle && !isStopped) void poll()
      })
    running.set(attempt, delivery.webhookId)
  }

  async function deliver(delivery: LeasedDelivery): Promise<void> {
    const { webhook, body, eventId, attempt } = delivery
    if (webhook === undefined || body === undefined) return deleteDelivery(db, delivery)
    if (webhook.state === 'paused') {
      await storeOutcome(db, delivery, { state: 'failed', due_at_ms: null, error: pausedError })
      return
    }
    const rows = await findSecrets(db, clock, webhook.id)
    // The webhook was deleted after the lease. It must get no unsigned delivery.
    if (rows.length === 0) return deleteDelivery(db, delivery)
    const secrets = await Promise.all(rows.map((row) => openSecret(kms, row)))
    const startedAt = performance.now()
    const answer = await send(webhook.url, body, {
      ...signDelivery(secrets, { id: eventId, timestamp: nowSeconds(clock), body }),
      'content-type': 'application/json',
      'user-agent': `${product.name}-Webhooks`,
    })
    const isDelivered = answer.status !== null && answer.status >= 200 && answer.status < 300
    const attemptOutcome = {
      status: answer.status,
      duration_ms: Math.round(performance.now() - startedAt),
      error: isDelivered ? null : answer.status === null ? answer.error : `http_${answer.status}`,
    }
    const outcome = { attempted_at: nowSeconds(clock), ...attemptOutcome }
    const storeAttempt = (trx: Trx) =>
      insertAttempt(trx, delivery, { attempted_at_ms: clock.nowMs(), ...attemptOutcome })
    if (isDelivered) {
      const isStored = await context.transaction(async (trx) => {
        await storeAttempt(trx)
        return storeOutcome(trx, delivery, { ...outcome, state: 'delivered', due_at_ms: null })
      })
      if (isStored) webhookAttempts.add({ outcome: 'delivered' })
      await clearFailing(db, webhook.id)
      return
    }
    const isGone = answer.status === 410
    const delayMs = isGone ? undefined : findDelayMs(attempt, answer, random())
    const pause = await context.transaction(async (trx) => {
      await storeAttempt(trx)
      const failingSince = await markFailing(trx, clock, webhook.id)
      const isStored = await storeOutcome(trx, delivery, {
        ...outcome,
        state: delayMs === undefined ? 'failed' : 'pending',
        due_at_ms: delayMs === undefined ? null : clock.nowMs() + delayMs,
      })
      if (!isStored) return undefined
      const hasFailedForLong = nowSeconds(clock) - failingSince >= webhookLimits.failingSeconds
      const reason = isGone ? 'gone' : hasFailedForLong ? 'failing' : undefined
      if (reason === undefined) return undefined
      const isPaused = await pauseWebhook(trx, clock, { id: webhook.id, appId: webhook.app_id }, reason)
      return isPaused ? reason : undefined
    })
    webhookAttempts.add({ outcome: delayMs === undefined ? 'failed' : 'retried' })
    if (pause === undefined) return
    webhookPauses.add({ reason: pause })
    log.warn({ webhook: webhook.id, app: webhook.app_id, reason: pause }, 'a webhook was paused')
  }

  async function send(url: string, body: string, headers: Record<string, string>): Promise<Answer> {
    if (!allowsThisMachine && !isPublicUrl(url)) return { status: null, error: 'url_not_allowed' }
    try {
      const { status, headers: received } = await request(url, {
        party: 'webhook',
        method: 'POST',
        headers,
        body,
        deadlineMs: webhookLimits.attemptDeadlineMs,
        ignoresBody: true,
        signal: aborted.signal,
      })
      return { status, retryAfterMs: parseRetryAfterMs(received.get('retry-after'), clock.nowMs()) }
    } catch (error) {
      // Messages are left out: they may contain the path of the URL, which may be a secret.
      return { status: null, error: getErrorType(error).slice(0, webhookLimits.maxErrorLength) }
    }
  }

  return {
    poll,

    /** Resolves when nothing is due and no attempt runs. */
    async drain(): Promise<void> {
      await poll()
      while (running.size > 0) {
        await Promise.race(running.keys())
        await polling
      }
    },

    /** Starts no more attempts, and waits for the running ones until the deadline of the shutdown. */
    async stop(): Promise<void> {
      isStopped = true
      stopObserving()
      const deadline = setTimeout(() => aborted.abort(), shutdownLimits.inFlightMs)
      await polling
      await Promise.all(running.keys())
      clearTimeout(deadline)
    },
  }
}

/** Returns the delay before the next attempt, or undefined after the last one. */
function findDelayMs(attempt: number, answer: Answer, random: number): number | undefined {
  const delayMs = webhookLimits.retryDelaysMs[attempt - 1]
  if (delayMs === undefined) return undefined
  const jittered = Math.round(delayMs * (1 + webhookLimits.jitter * random))
  const askedMs = answer.status === null ? 0 : (answer.retryAfterMs ?? 0)
  return Math.max(jittered, Math.min(askedMs, webhookLimits.longestRetryAfterMs))
}

/** Parses `Retry-After`: seconds or a date (RFC 9110, 10.2.3). */
function parseRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
