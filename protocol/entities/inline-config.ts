/** What the server writes into a page, so that nothing has to be asked before the first paint. */
import * as v from 'valibot'
import { appConfigSchema } from './app-config.ts'
import { appId, base64url, id, text } from './primitives.ts'

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
  /** The page where somebody logs in who then goes on to the page of their wallet, and does nothing else. */
  handover: v.exactOptional(v.literal(true)),
  /** Where capabilities that the app has on find others, by name. */
  addresses: v.record(v.string(), text),
})
export type DialogInlineConfig = v.InferOutput<typeof dialogInlineConfigSchema>

/** A login of the dialog goes over to the page of the wallet in the same window: by a form, and never in an address. */
export const handoverFields = v.object({
  code: v.pipe(base64url, v.maxLength(256)),
  /** What the page of the wallet made before it led to the login: it takes no other. */
  state: v.pipe(base64url, v.length(43)),
  user: id,
})
export type Handover = v.InferOutput<typeof handoverFields>

export const walletInlineConfigSchema = v.object({
  appId,
  appName: text,
  dialogOrigin: text,
  /** An entry may be the wildcard of a development app. */
  hostOrigins: v.array(text),
  apiOrigin: text,
  /** Where the clouds are asked that keep a file for the user, by the method; of those alone that the app has on. */
  clouds: v.record(v.string(), text),
  /** Whether the import page accepts a private key from the host page. */
  hostKeyImport: v.boolean(),
  /** The field is in the answer to the form that carried the handover, and in no other page. */
  handover: v.exactOptional(handoverFields),
})
export type WalletInlineConfig = v.InferOutput<typeof walletInlineConfigSchema>
