/** Parses the JSON columns of an app. */
import * as v from 'valibot'
import {
  defaultStoredConfig,
  type StoredConfig,
  storedConfigSchema,
} from '../../kernel/app-settings/stored-config.ts'
import { migrateNoPrompt } from './approval-rules.ts'
import type { AppRow } from './store.ts'

export const parseOrigins = (app: Pick<AppRow, 'allowed_origins'>): readonly string[] =>
  v.parse(v.array(v.string()), JSON.parse(app.allowed_origins))

/** Parses the stored config. Settings that are newer than the app get their defaults. */
export const parseStoredConfig = ({ config }: Pick<AppRow, 'config'>): StoredConfig =>
  v.parse(
    v.pipe(
      v.string(),
      v.parseJson(),
      v.record(v.string(), v.unknown()),
      v.transform((stored) => ({
        ...defaultStoredConfig,
        ...stored,
        noPrompt: migrateNoPrompt(stored.noPrompt ?? defaultStoredConfig.noPrompt),
      })),
      storedConfigSchema,
    ),
    config,
  )
