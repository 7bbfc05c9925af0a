/** Configuration that the server inlines into the dialog, which saves requests before the first paint. */
import * as v from 'valibot'
import { appConfigSchema } from './app-config.ts'
import { text } from './primitives.ts'

/** `hostOrigin` is null for a standalone dialog. */
export const dialogInlineConfigSchema = v.object({
  app: appConfigSchema,
  hostOrigin: v.nullable(text),
  dialogOrigin: text,
  walletOrigin: text,
  apiOrigin: text,
  /** Whether the refresh token is stored in the origin's storage or in a cookie. */
  sessionMode: v.picklist(['storage', 'cookie']),
  isolated: v.boolean(),
  /** The login page that hands over to the wallet page and does nothing else. */
  handover: v.exactOptional(v.literal(true)),
  /** Service URLs of the app's capabilities, by name. */
  addresses: v.record(v.string(), text),
})
export type DialogInlineConfig = v.InferOutput<typeof dialogInlineConfigSchema>
