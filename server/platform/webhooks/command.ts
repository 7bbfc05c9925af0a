/** `latchkey app webhooks`: manages webhooks without the Admin API. */
import { parseArgs } from 'node:util'
import { adminLimits, webhookEventTypes } from '@latchkey/protocol/admin'
import { insertEvent } from '../../identity/outbox/outbox.ts'
import type { AppCommand } from '../../kernel/capability.ts'
import type { CommandSpec } from '../../kernel/command-spec.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { isAllowedUrl } from '../../kernel/ssrf-safe-fetch.ts'
import { insertDelivery, listAttempts, replayFailed } from './deliveries.ts'
import { createSecret, formatSecret, openSecret } from './signing.ts'
import {
  enableWebhook,
  expireSecrets,
  findSecrets,
  findWebhook,
  insertSecret,
  insertWebhook,
  joinEvents,
  listWebhooks,
  lockWebhook,
  pauseWebhook,
  removeWebhook,
} from './store.ts'

type Outcome = Awaited<ReturnType<AppCommand['run']>>
const done = (...lines: string[]): Outcome => ({ type: 'done', lines })
const refused = (...lines: string[]): Outcome => ({ type: 'refused', lines })
const misused: Outcome = { type: 'misused', lines: [] }

const spec = {
  summary: 'lists and changes the webhooks of an app',
  forms: [
    { arguments: '<id> list', meaning: 'lists the webhooks' },
    { arguments: '<id> add <url> [--event <type>…]', meaning: 'creates a webhook and prints its secret' },
    { arguments: '<id> secret <webhook>', meaning: 'prints the secrets that sign now, newest first' },
    {
      arguments: '<id> rotate <webhook>',
      meaning: 'creates another secret; earlier ones sign for one more day',
    },
    { arguments: '<id> test <webhook>', meaning: 'sends the event webhook.test' },
    { arguments: '<id> pause <webhook>', meaning: 'sends no more events to it' },
    { arguments: '<id> enable <webhook>', meaning: 'sends events to it again' },
    { arguments: '<id> replay <webhook>', meaning: 'sends all failed deliveries again' },
    { arguments: '<id> attempts <webhook> <delivery>', meaning: 'prints the latest attempts, newest first' },
    { arguments: '<id> remove <webhook>', meaning: 'deletes it with its secrets and deliveries' },
  ],
  options: {
    event: {
      type: 'string',
      multiple: true,
      value: '<type>',
      meaning: 'sends this type only; all unless set',
    },
  },
  details: 'A running server sends the deliveries. docs/webhooks.md describes events and signatures.',
} as const satisfies CommandSpec

export const webhooksCommand: AppCommand = {
  name: 'webhooks',
  spec,
  async run(appId, [action = 'list', ...args], db, { clock, openKms }) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: spec.options })
    const [target, deliveryId, ...tooMany] = positionals
    if (tooMany.length > 0 || (target === undefined) !== (action === 'list')) return misused
    if ((deliveryId !== undefined) !== (action === 'attempts')) return misused

    if (target === undefined) {
      const rows = await listWebhooks(db, appId)
      return done(
        ...rows.map(({ id, state, pause_reason: reason, url, events }) =>
          [id, reason === null ? state : `${state} (${reason})`, url, events.trim()].join('  ').trimEnd(),
        ),
      )
    }
    if (action === 'add') {
      const { event: events = [] } = values
      const unknown = events.find((event) => !(webhookEventTypes as string[]).includes(event))
      if (unknown !== undefined) {
        return refused(`There is no event ${unknown}. Events: ${webhookEventTypes.join(', ')}.`)
      }
      if (!isAllowedUrl(target)) return refused(`${target} is no https URL.`)
      const id = `whk_${randomId()}`
      const kms = await openKms()
      const secret = await createSecret(kms, appId, id)
      const isAdded = await withTransaction(db, async (trx) => {
        if ((await listWebhooks(trx, appId)).length >= adminLimits.mostWebhooks) return false
        const fields = { url: target, description: '', events: joinEvents(events) }
        await insertWebhook(trx, clock, { id, appId, secret, ...fields })
        return true
      })
      if (!isAdded) return refused(`An app has at most ${adminLimits.mostWebhooks} webhooks.`)
      const { secret: printed, publicKey } = formatSecret(await openSecret(kms, secret))
      return done(`Webhook:    ${id}`, `Secret:     ${printed}`, `Public key: ${publicKey}`)
    }
    if (action === 'secret') {
      const kms = await openKms()
      const rows = (await findSecrets(db, clock, target)).filter((row) => row.app_id === appId)
      if (rows.length === 0) return refused(`App ${appId} has no webhook ${target}.`)
      const secrets = await Promise.all(rows.map(async (row) => formatSecret(await openSecret(kms, row))))
      return done(...secrets.map(({ secret, publicKey }) => `${secret}  ${publicKey}`))
    }
    if (action === 'attempts' && deliveryId !== undefined) {
      const webhook = await findWebhook(db, { appId, id: target })
      if (webhook === undefined) return refused(`App ${appId} has no webhook ${target}.`)
      const attempts = await listAttempts(db, { webhookId: target, eventId: deliveryId })
      return done(
        ...attempts.map(({ attempted_at_ms: atMs, status, duration_ms: durationMs, error }) =>
          [new Date(atMs).toISOString(), error ?? `http_${status}`, `${durationMs} ms`].join('  '),
        ),
      )
    }
    const rotation = action === 'rotate' ? await createSecret(await openKms(), appId, target) : undefined
    return withTransaction(db, async (trx): Promise<Outcome> => {
      const webhook = await lockWebhook(trx, { appId, id: target })
      if (webhook === undefined) return refused(`App ${appId} has no webhook ${target}.`)
      switch (action) {
        case 'rotate':
          if (rotation === undefined) return misused
          await expireSecrets(trx, target, nowSeconds(clock) + adminLimits.defaultOverlapSeconds)
          await insertSecret(trx, clock, rotation)
          return done(`Created a secret of ${target}. Earlier ones sign for one more day.`)
        case 'pause':
          await pauseWebhook(trx, clock, { id: target, appId }, 'operator')
          return done(`Paused ${target}.`)
        case 'enable':
          await enableWebhook(trx, target)
          return done(
            `Enabled ${target}. Send what failed again: latchkey app webhooks ${appId} replay ${target}`,
          )
        case 'remove':
          await removeWebhook(trx, target)
          return done(`Removed ${target}.`)
        case 'test':
        case 'replay': {
          if (webhook.state === 'paused') return refused(`Enable the webhook ${target} first.`)
          if (action === 'replay') {
            const replayed = await replayFailed(trx, clock, target, { from: undefined, before: undefined })
            return done(`Deliveries that are sent again: ${replayed}`)
          }
          const fields = { webhookId: target }
          const eventId = await insertEvent(trx, clock, { appId }, { type: 'webhook.test', fields })
          await insertDelivery(trx, clock, { webhookId: target, eventId })
          return done(`The event is ${eventId}.`)
        }
        default:
          return misused
      }
    })
  },
}
