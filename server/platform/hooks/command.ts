/** `latchkey app hooks`: manages hooks without the Admin API. */
import { parseArgs } from 'node:util'
import { type HookKind, hookFailureModes, hookKindNames } from '@latchkey/protocol/admin'
import type { AppCommand } from '../../kernel/capability.ts'
import type { CommandSpec } from '../../kernel/command-spec.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { isAllowedUrl } from '../../kernel/ssrf-safe-fetch.ts'
import {
  createSecret,
  expireSecrets,
  findSecrets,
  formatSecret,
  insertSecret,
  openSecret,
} from '../webhooks/webhooks.ts'
import { hookLimits } from './limits.ts'
import { changeHook, insertHook, listHooks, removeHook } from './store.ts'

type Outcome = Awaited<ReturnType<AppCommand['run']>>
const done = (...lines: string[]): Outcome => ({ type: 'done', lines })
const refused = (...lines: string[]): Outcome => ({ type: 'refused', lines })
const misused: Outcome = { type: 'misused', lines: [] }

const spec = {
  summary: 'lists and changes the hooks of an app',
  forms: [
    { arguments: '<id> list', meaning: 'lists the hooks' },
    {
      arguments: '<id> add <kind> <url> [--on-failure <mode>]',
      meaning: 'creates a hook and prints its secret',
    },
    { arguments: '<id> secret <kind>', meaning: 'prints the secrets that sign now, newest first' },
    {
      arguments: '<id> rotate <kind>',
      meaning: 'creates another secret; earlier ones sign for one more day',
    },
    { arguments: '<id> disable <kind>', meaning: 'asks it no more' },
    { arguments: '<id> enable <kind>', meaning: 'asks it again' },
    { arguments: '<id> remove <kind>', meaning: 'deletes it with its secrets' },
  ],
  options: {
    'on-failure': {
      type: 'string',
      value: '<mode>',
      meaning: 'the outcome without a valid answer: allow, or deny; allow unless set',
    },
  },
  details: `Kinds: ${hookKindNames.join(', ')}. docs/hooks.md describes questions and answers.`,
} as const satisfies CommandSpec

const isKind = (text: string | undefined): text is HookKind =>
  (hookKindNames as (string | undefined)[]).includes(text)

export const hooksCommand: AppCommand = {
  name: 'hooks',
  spec,
  async run(appId, [action = 'list', ...args], db, { clock, dialogOrigin, openKms }) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: spec.options })
    const [kind, url, ...tooMany] = positionals
    if (tooMany.length > 0 || (url === undefined) === (action === 'add')) return misused
    const rows = await listHooks(db, appId)
    if (action === 'list') {
      if (kind !== undefined) return misused
      return done(
        ...rows.map((row) => `${row.kind}  ${row.state}  on failure: ${row.on_failure}  ${row.url}`),
      )
    }
    if (!isKind(kind)) return refused(`There is no kind ${kind}. Kinds: ${hookKindNames.join(', ')}.`)
    if (action === 'add' && url !== undefined) {
      const onFailure = hookFailureModes.find((mode) => mode === (values['on-failure'] ?? 'allow'))
      if (onFailure === undefined) return misused
      if (kind === 'message.send' && onFailure === 'deny') {
        return refused('Without an answer of message.send the server sends the message itself.')
      }
      if (!isAllowedUrl(url) || URL.parse(url)?.host === new URL(dialogOrigin).host) {
        return refused(`${url} is no https URL of another server.`)
      }
      const id = `hok_${randomId()}`
      const kms = await openKms()
      const secret = await createSecret(kms, appId, id)
      const isAdded = await withTransaction(db, async (trx) => {
        const row = await insertHook(trx, clock, { id, app_id: appId, kind, url, on_failure: onFailure })
        if (row !== undefined) await insertSecret(trx, clock, secret)
        return row !== undefined
      })
      if (!isAdded) return refused(`App ${appId} has a hook ${kind}.`)
      const { secret: printed, publicKey } = formatSecret(await openSecret(kms, secret))
      return done(`Hook:       ${id}`, `Secret:     ${printed}`, `Public key: ${publicKey}`)
    }
    const hook = rows.find((row) => row.kind === kind)
    if (hook === undefined) return refused(`App ${appId} has no hook ${kind}.`)
    switch (action) {
      case 'secret': {
        const kms = await openKms()
        const secrets = await findSecrets(db, clock, hook.id)
        const lines = secrets.map(async (row) => {
          const { secret, publicKey } = formatSecret(await openSecret(kms, row))
          return `${secret}  ${publicKey}`
        })
        return done(...(await Promise.all(lines)))
      }
      case 'rotate': {
        const secret = await createSecret(await openKms(), appId, hook.id)
        await withTransaction(db, async (trx) => {
          await expireSecrets(trx, hook.id, nowSeconds(clock) + hookLimits.secretOverlapSeconds)
          await insertSecret(trx, clock, secret)
        })
        return done(`Created a secret of ${kind}. Earlier ones sign for one more day.`)
      }
      case 'disable':
      case 'enable': {
        const state = action === 'enable' ? 'enabled' : 'disabled'
        await withTransaction(db, (trx) => changeHook(trx, hook.id, { state }))
        return done(`${kind} is ${state}.`)
      }
      case 'remove':
        await withTransaction(db, (trx) => removeHook(trx, hook))
        return done(`Removed ${kind}.`)
      default:
        return misused
    }
  },
}
