/** OpenID providers that the operator of an app configured. */
import * as v from 'valibot'

/** An OpenID provider as a login method: `oidc:{id}`. The operator chose the id. */
export type OidcProvider = `oidc:${string}`
/** The part after `oidc:`. */
export const oidcProviderId = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,32}$/))
export const oidcProvider = v.pipe(
  v.string(),
  v.regex(/^oidc:[a-z0-9-]{1,32}$/),
) as unknown as v.GenericSchema<OidcProvider, OidcProvider>
export const isOidcProvider = (value: string): value is OidcProvider => v.is(oidcProvider, value)
