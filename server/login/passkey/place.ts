/**
 * Where a ceremony was: the page that asked, and the page that it is embedded in. Looked at here, for both ceremonies:
 * the library does not look at the second one of a registration.
 * https://www.w3.org/TR/webauthn-3/#dictionary-client-data
 */
import { base64url } from '@latchkey/protocol'
import * as v from 'valibot'

export type Place = {
  /** The origin of the dialog. */
  origin: string
  mayEmbed: (topOrigin: string) => boolean
}

const clientDataSchema = v.looseObject({
  type: v.picklist(['webauthn.create', 'webauthn.get']),
  challenge: base64url,
  origin: v.string(),
  crossOrigin: v.optional(v.boolean(), false),
  topOrigin: v.optional(v.string()),
})
export type ClientData = v.InferOutput<typeof clientDataSchema>

/** Undefined for what no browser says. */
export function readClientData(base64url: string): ClientData | undefined {
  try {
    const said: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString())
    const parsed = v.safeParse(clientDataSchema, said)
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

export type PlaceRefusal = 'origin' | 'top_origin'

/**
 * A browser that knows `topOrigin` says it in every frame of another site, and no page can keep it from that. Those
 * that do not know it (Safari) still let nobody embed the dialog but the pages that its own policy names.
 */
export function refusedPlace(
  { origin, crossOrigin, topOrigin }: ClientData,
  place: Place,
): PlaceRefusal | undefined {
  if (origin !== place.origin) return 'origin'
  if (topOrigin === undefined) return undefined
  return crossOrigin && place.mayEmbed(topOrigin) ? undefined : 'top_origin'
}
