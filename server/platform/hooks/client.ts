/**
 * Asks a hook by a request that is signed like a webhook, and parses the answer strictly. Every failure has the same form, so
 * that the caller applies the failure mode of the hook.
 */
import { product } from '@latchkey/protocol'
import type { HookKind } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import type { PortSources } from '../../kernel/capability.ts'
import type { ServerConfig } from '../../kernel/config.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds, type Reader } from '../../kernel/ports.ts'
import { isAllowedUrl, isPublicUrl, ssrfSafeFetch } from '../../kernel/ssrf-safe-fetch.ts'
import { getErrorType } from '../../kernel/third-party-metrics.ts'
import { findSecrets, openSecret, signDelivery, webhookEnvironment } from '../webhooks/webhooks.ts'
import { createCircuitBreakers } from './circuit-breaker.ts'
import { hookLimits } from './limits.ts'
import { hookQuestions } from './metrics.ts'
import { type HookRow, listHooks } from './store.ts'

export type HookClientOptions = {
  fetch?: typeof ssrfSafeFetch
  /** Returns a signal that aborts at the deadline of a question. */
  createDeadline?: () => AbortSignal
}

type Answer<Entries extends v.ObjectEntries> = v.InferOutput<v.StrictObjectSchema<Entries, undefined>>
type HookResult<Entries extends v.ObjectEntries> =
  | { type: 'answered'; answer: Answer<Entries> }
  | { type: 'failed' }

/** The answer of a hook cannot be used. The message contains nothing of the answer. */
class InvalidAnswer extends Error {
  override name = 'InvalidAnswer'
}

/** Returns whether hooks may be sent to this URL: SSRF rules of webhooks, and not to this server itself. */
export function isHookUrlAllowed(config: ServerConfig, url: string): boolean {
  const allowsThisMachine = webhookEnvironment.read(config).WEBHOOKS_TO_THIS_MACHINE === 'true'
  if (!isPublicUrl(url) && !(allowsThisMachine && isAllowedUrl(url))) return false
  const own = [config.dialogOrigin, config.walletOrigin, config.issuer]
  const { host } = new URL(url)
  return own.every((origin) => URL.parse(origin)?.host !== host)
}

export function createHookClient(
  { config, clock, log }: PortSources,
  {
    fetch: request = ssrfSafeFetch,
    createDeadline = () => AbortSignal.timeout(hookLimits.deadlineMs),
  }: HookClientOptions = {},
) {
  const breakers = createCircuitBreakers(clock)
  const remembered = new Map<string, { atMs: number; hooks: HookRow[] }>()

  /** Returns the enabled hook of this kind. Reads at most once in a few seconds, because every login asks. */
  async function find(reader: Reader, appId: string, kind: HookKind): Promise<HookRow | undefined> {
    const nowMs = clock.nowMs()
    let entry = remembered.get(appId)
    if (entry === undefined || Math.abs(nowMs - entry.atMs) >= hookLimits.freshMs) {
      if (remembered.size >= hookLimits.rememberedApps) remembered.clear()
      entry = { atMs: nowMs, hooks: await listHooks(reader, appId) }
      remembered.set(appId, entry)
    }
    return entry.hooks.find((hook) => hook.kind === kind && hook.state === 'enabled')
  }

  async function ask<const Entries extends v.ObjectEntries>(
    context: Pick<ServerContext, 'db' | 'kms'>,
    hook: HookRow,
    data: Readonly<Record<string, unknown>>,
    entries: Entries,
  ): Promise<HookResult<Entries>> {
    // A changed URL is asked at once.
    const key = `${hook.id} ${hook.url}`
    if (!breakers.admits(key)) {
      hookQuestions.add({ kind: hook.kind, outcome: 'skipped' })
      return { type: 'failed' }
    }
    try {
      const answer = await send(context, hook, data, entries)
      breakers.noteSuccess(key)
      hookQuestions.add({ kind: hook.kind, outcome: 'answered' })
      return { type: 'answered', answer }
    } catch (error) {
      hookQuestions.add({ kind: hook.kind, outcome: 'failed' })
      const isPaused = breakers.noteFailure(key)
      // Messages of other errors are left out: they may contain the path of the URL, which may be a secret.
      const reason = error instanceof InvalidAnswer ? error.message : getErrorType(error)
      const fields = { hook: hook.id, app: hook.app_id, kind: hook.kind, reason }
      if (isPaused) log.error(fields, 'a hook failed several times and is not asked for a while')
      else log.warn(fields, 'a hook gave no valid answer')
      return { type: 'failed' }
    }
  }

  async function send<const Entries extends v.ObjectEntries>(
    { db, kms }: Pick<ServerContext, 'db' | 'kms'>,
    hook: HookRow,
    data: Readonly<Record<string, unknown>>,
    entries: Entries,
  ): Promise<Answer<Entries>> {
    if (!isHookUrlAllowed(config, hook.url)) throw new InvalidAnswer('url_not_allowed')
    const rows = await findSecrets(db, clock, hook.id)
    if (rows.length === 0) throw new InvalidAnswer('the hook has no secret')
    const secrets = await Promise.all(rows.map((row) => openSecret(kms, row)))
    const id = `msg_${randomId()}`
    const body = JSON.stringify({
      type: hook.kind,
      timestamp: new Date(clock.nowMs()).toISOString(),
      data: { app_id: hook.app_id, ...data },
    })
    const response = await request(hook.url, {
      party: 'hook',
      method: 'POST',
      headers: {
        ...signDelivery(secrets, { id, timestamp: nowSeconds(clock), body }),
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': `${product.name}-Hooks`,
      },
      body,
      maxBytes: hookLimits.maxAnswerBytes,
      signal: createDeadline(),
    })
    if (response.status !== 200) throw new InvalidAnswer(`http_${response.status}`)
    if (!/^application\/json\s*(;|$)/i.test(response.headers.get('content-type') ?? '')) {
      throw new InvalidAnswer('the answer is not JSON')
    }
    // The id binds the answer to the question, so that a cache or an earlier answer cannot stand for it.
    const schema = v.strictObject({ id: v.literal(id), ...entries })
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), await response.text())
    if (!answer.success) {
      const path = answer.issues[0].path?.map(({ key }) => String(key)).join('.') ?? ''
      throw new InvalidAnswer(`the answer is invalid at '${path.slice(0, hookLimits.maxReasonLength)}'`)
    }
    return answer.output as Answer<Entries>
  }

  return { find, ask }
}
export type HookClient = ReturnType<typeof createHookClient>
