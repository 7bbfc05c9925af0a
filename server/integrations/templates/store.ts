/** The table of the operator's words, and its statements. */
import type { MessageKind, MessageTemplate } from '@latchkey/protocol/admin'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import { type Language, languages } from '../../kernel/languages.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'

type TemplateRow = {
  app_id: string
  kind: MessageKind
  locale: string
  subject: string | null
  heading: string | null
  /** JSON. */
  blocks: string
  updated_at: number
}
export type StoredTemplate = MessageTemplate & { kind: MessageKind; locale: string; updatedAt: number }

const withTemplates = (reader: Reader) => reader.withTables<{ message_templates: TemplateRow }>()

export const templateMigrations: Migrations = {
  '0001-table': {
    async up({ schema }) {
      await schema
        .createTable('message_templates')
        .addColumn('app_id', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('locale', 'text', (column) => column.notNull())
        .addColumn('subject', 'text')
        .addColumn('heading', 'text')
        .addColumn('blocks', 'text', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('message_templates_key', ['app_id', 'kind', 'locale'])
        .execute()
    },
  },
}

/** Returns the template locales of a language, the closest first: `pt-BR`, `pt`. */
const listLocales = (language: Language) => [...new Set([language, new Intl.Locale(language).language])]

/** The locales of templates that the dialog's languages use. */
export const messageLocales: string[] = [...new Set(languages.flatMap(listLocales))]

const toTemplate = ({ kind, locale, subject, heading, blocks, updated_at: updatedAt }: TemplateRow) =>
  ({ kind, locale, subject, heading, blocks: JSON.parse(blocks), updatedAt }) as StoredTemplate

export async function listTemplates(reader: Reader, appId: string): Promise<StoredTemplate[]> {
  const rows = await withTemplates(reader)
    .selectFrom('message_templates')
    .selectAll()
    .where('app_id', '=', appId)
    .execute()
  return rows.map(toTemplate)
}

/** Returns the operator's words for a message, or undefined if it has ours. */
export async function findTemplate(
  reader: Reader,
  appId: string,
  kind: MessageKind,
  language: Language,
): Promise<StoredTemplate | undefined> {
  const locales = listLocales(language)
  const rows = await withTemplates(reader)
    .selectFrom('message_templates')
    .selectAll()
    .where('app_id', '=', appId)
    .where('kind', '=', kind)
    .where('locale', 'in', locales)
    .execute()
  const row = locales.map((locale) => rows.find((each) => each.locale === locale)).find(Boolean)
  return row && toTemplate(row)
}

export async function storeTemplate(
  trx: Trx,
  clock: Clock,
  { appId, kind, locale }: { appId: string; kind: MessageKind; locale: string },
  { subject, heading, blocks }: MessageTemplate,
): Promise<void> {
  const values = { subject, heading, blocks: JSON.stringify(blocks), updated_at: nowSeconds(clock) }
  await withTemplates(trx)
    .insertInto('message_templates')
    .values({ app_id: appId, kind, locale, ...values })
    .onConflict((conflict) => conflict.columns(['app_id', 'kind', 'locale']).doUpdateSet(values))
    .execute()
}

export async function removeTemplate(
  trx: Trx,
  { appId, kind, locale }: { appId: string; kind: MessageKind; locale: string },
): Promise<void> {
  await withTemplates(trx)
    .deleteFrom('message_templates')
    .where('app_id', '=', appId)
    .where('kind', '=', kind)
    .where('locale', '=', locale)
    .execute()
}
