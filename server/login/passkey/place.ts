/**
 * Verifies where a ceremony took place: the origin and the embedding page. For registrations, the library does not
 * verify `topOrigin`.
 * https://www.w3.org/TR/webauthn-3/#dictionary-client-data
 */
import { base64url } from '@latchkey/protocol'
import * as v from 'valibot'

export type Place = {
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

/** Returns undefined for malformed client data. */
export function readClientData(base64url: string): ClientData | undefined {
  try {
    const parsedJson: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString())
    const parsed = v.safeParse(clientDataSchema, parsedJson)
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

export type PlaceRefusal = 'origin' | 'top_origin'

/**
 * Returns the reason to reject the place, or undefined. Browsers that support `topOrigin` always send it in cross-site
 * frames. Without it (Safari), only the dialog's own policy restricts the embedding page.
 */
export function refusedPlace(
  { origin, crossOrigin, topOrigin }: ClientData,
  place: Place,
): PlaceRefusal | undefined {
  if (origin !== place.origin) return 'origin'
  if (topOrigin === undefined) return undefined
  return crossOrigin && place.mayEmbed(topOrigin) ? undefined : 'top_origin'
}
