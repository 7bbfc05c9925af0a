/**
 * Configuration that the server inlines into a wallet page. A separate module, so that wallet pages do not contain the
 * schemas of the dialog's configuration.
 */
import * as v from 'valibot'
import { appId, base64url, id, text } from './primitives.ts'

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
