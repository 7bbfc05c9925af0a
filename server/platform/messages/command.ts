/** `latchkey app messages`: changes the words of mails and texts without the Admin API. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { messageKindNames, messageTemplateSchema } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import {
  assertTemplate,
  listTemplates,
  messageLocales,
  removeTemplate,
  storeTemplate,
} from '../../integrations/templates/templates.ts'
import type { AppCommand, AppCommandResult } from '../../kernel/capability.ts'
import type { CommandSpec } from '../../kernel/command-spec.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import { AdminError } from '../../kernel/http/admin-endpoint.ts'
import { getOurTemplate } from './messages.ts'

const done = (...lines: string[]): AppCommandResult => ({ type: 'done', lines })
const refused = (line: string): AppCommandResult => ({ type: 'refused', lines: [line] })
const misused: AppCommandResult = { type: 'misused', lines: [] }

const spec = {
  summary: 'lists and changes the words of mails and texts of an app',
  forms: [
    { arguments: '<id> list', meaning: 'lists the messages with custom words' },
    { arguments: '<id> show <kind> <locale>', meaning: 'prints the words as JSON, for set' },
    { arguments: '<id> set <kind> <locale> <file>', meaning: 'replaces the words by those of a JSON file' },
    { arguments: '<id> reset <kind> <locale>', meaning: 'goes back to the default words' },
  ],
  options: {},
  details: `Kinds: ${messageKindNames.join(', ')}. docs/apps.md describes them.`,
} as const satisfies CommandSpec

/** Returns the template of a JSON file, or the reason why it is none. */
function readTemplate(file: string) {
  try {
    const parsed = v.safeParse(messageTemplateSchema, JSON.parse(readFileSync(file, 'utf8')))
    return parsed.success ? parsed.output : `${file} needs subject, heading and blocks, as show prints them.`
  } catch (error) {
    return `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

export const messagesCommand: AppCommand = {
  name: 'messages',
  spec,
  async run(appId, [action = 'list', ...args], db, { clock }) {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: spec.options })
    const [kindName, localeTag, file, ...tooMany] = positionals
    if (tooMany.length > 0 || (file === undefined) === (action === 'set')) return misused
    const templates = await listTemplates(db, appId)
    if (action === 'list') {
      if (kindName !== undefined) return misused
      return done(...templates.map(({ kind, locale }) => `${kind}  ${locale}`).toSorted())
    }
    const kind = messageKindNames.find((name) => name === kindName)
    if (kind === undefined)
      return refused(`There is no kind ${kindName}. Kinds: ${messageKindNames.join(', ')}.`)
    const locale = messageLocales.find((tag) => tag === localeTag)
    if (locale === undefined)
      return refused(`There is no locale ${localeTag}. Locales: ${messageLocales.join(', ')}.`)
    const key = { appId, kind, locale }
    switch (action) {
      case 'show': {
        const custom = templates.find((each) => each.kind === kind && each.locale === locale)
        const { subject, heading, blocks } = custom ?? getOurTemplate(kind, locale)
        return done(JSON.stringify({ subject, heading, blocks }, null, 2))
      }
      case 'set': {
        const template = readTemplate(file ?? '')
        if (typeof template === 'string') return refused(template)
        try {
          assertTemplate(kind, template)
        } catch (error) {
          if (error instanceof AdminError) return refused(`${error.path}: ${error.message} (${error.code}).`)
          throw error
        }
        await withTransaction(db, (trx) => storeTemplate(trx, clock, key, template))
        return done(`The words of ${kind} in ${locale} are replaced.`)
      }
      case 'reset':
        await withTransaction(db, (trx) => removeTemplate(trx, key))
        return done(`${kind} in ${locale} has the default words.`)
      default:
        return misused
    }
  },
}
