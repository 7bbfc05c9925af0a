/** Configuration that the server inlines into a page, which saves requests before the first paint. */
import * as v from 'valibot'
import { appConfigSchema } from './app-config.ts'
import { appId, base64url, id, text } from './primitives.ts'

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

/** The fields of the form that hands a login over to the wallet page in the same window. They never appear in a URL. */
export const handoverFields = v.object({
  code: v.pipe(base64url, v.maxLength(256)),
  /** The state that the wallet page created before the login. It accepts no other. */
  state: v.pipe(base64url, v.length(43)),
  user: id,
})
export type Handover = v.InferOutput<typeof handoverFields>

export const walletInlineConfigSchema = v.object({
  appId,
  appName: text,
  dialogOrigin: text,
  /** May include the wildcard of a development app. */
  hostOrigins: v.array(text),
  apiOrigin: text,
  /** API URLs of the recovery clouds that the app enables, by recovery method. */
  clouds: v.record(v.string(), text),
  /** Whether the import page accepts a private key from the host page. */
  hostKeyImport: v.boolean(),
  /** Present only in the response to the form that carried the handover. */
  handover: v.exactOptional(handoverFields),
})
export type WalletInlineConfig = v.InferOutput<typeof walletInlineConfigSchema>
