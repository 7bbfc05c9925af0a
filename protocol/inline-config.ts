/** What the server writes into a page, so that nothing has to be asked before the first paint. */
import * as v from 'valibot'
import { appConfigSchema } from './entities/app-config.ts'
import { appId, text } from './entities/primitives.ts'

/** `hostOrigin` is null when the dialog stands alone. */
export const dialogInlineConfigSchema = v.object({
  app: appConfigSchema,
  hostOrigin: v.nullable(text),
  dialogOrigin: text,
  walletOrigin: text,
  apiOrigin: text,
  /** Which keeper the refresh token has: this origin's storage, or a cookie of the server. */
  sessionMode: v.picklist(['storage', 'cookie']),
  isolated: v.boolean(),
  /** Where capabilities that the app has on find others, by name. */
  addresses: v.record(v.string(), text),
})
export type DialogInlineConfig = v.InferOutput<typeof dialogInlineConfigSchema>

export const walletInlineConfigSchema = v.object({
  appId,
  appName: text,
  dialogOrigin: text,
  /** May carry the wildcard of a development app. */
  hostOrigins: v.array(text),
  apiOrigin: text,
  /** Where the clouds are asked that keep a file for the user, by the method; of those alone that the app has on. */
  clouds: v.record(v.string(), text),
})
export type WalletInlineConfig = v.InferOutput<typeof walletInlineConfigSchema>
