import { createPrivateKey, type KeyObject } from 'node:crypto'
import { socialProviders } from '@latchkey/protocol'
import * as v from 'valibot'
import { environmentPart, type VariableDocumentation } from '../../kernel/environment.ts'
import type { SocialProvider } from './provider.ts'
import { providers } from './providers.ts'

/** Our client credentials at a provider. */
export type OAuthClient = { id: string } & (
  | { type: 'secret'; secret: string | (() => Promise<string>) }
  | { type: 'signed'; teamId: string; keyId: string; key: KeyObject }
)

const withSecret = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[^:\s]+:\S+$/, 'must be <client id>:<client secret>'),
    v.transform((value): OAuthClient => {
      const end = value.indexOf(':')
      return { type: 'secret', id: value.slice(0, end), secret: value.slice(end + 1) }
    }),
  ),
)

const signedPattern = /^([^:\s]+):([A-Z0-9]{10}):([A-Z0-9]{10}):([A-Za-z0-9+/]+={0,2})$/
const signedSentence =
  'must be <services id>:<team id>:<key id>:<what stands between the lines of the .p8 file, in one line>'

const signed = v.optional(
  v.pipe(
    v.string(),
    v.regex(signedPattern, signedSentence),
    v.rawTransform(({ dataset, addIssue, NEVER }): OAuthClient => {
      const [, id = '', teamId = '', keyId = '', encoded = ''] = signedPattern.exec(dataset.value) ?? []
      const key = parsePrivateKey(encoded)
      if (key) return { type: 'signed', id, teamId, keyId, key }
      addIssue({ message: signedSentence })
      return NEVER
    }),
  ),
)

function parsePrivateKey(encoded: string): KeyObject | undefined {
  try {
    const key = createPrivateKey({ key: Buffer.from(encoded, 'base64'), format: 'der', type: 'pkcs8' })
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined
  } catch {
    return undefined
  }
}

/** Returns the name of a provider's environment variable. */
export const getVariable = <Provider extends SocialProvider>(provider: Provider) =>
  `OAUTH_${provider.toUpperCase() as Uppercase<Provider>}` as const

const clientVariables = Object.fromEntries(
  socialProviders.map((provider) => [
    getVariable(provider),
    providers[provider].authentication === 'signed' ? signed : withSecret,
  ]),
) as {
  [Variable in ReturnType<typeof getVariable<SocialProvider>>]: typeof withSecret | typeof signed
}

const clientMeanings = Object.fromEntries(
  socialProviders.map((provider) => [
    getVariable(provider),
    {
      meaning:
        providers[provider].authentication === 'signed'
          ? `Your client for login by ${provider}: \`<services id>:<team id>:<key id>:<key>\`. The key is the content of the \`.p8\` file in one line, without its first and last line.`
          : `Your client for login by ${provider}: \`<client id>:<client secret>\`.`,
      isSecret: true,
    },
  ]),
) as Record<keyof typeof clientVariables, VariableDocumentation>

/** Accepts https, and http on localhost. */
const isLocalOrSafe = (value: string) => /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])/.test(value)

export const oauthEnvironment = environmentPart(
  {
    ...clientVariables,
    OAUTH_PROVIDERS_URL: v.optional(
      v.pipe(
        v.string(),
        v.url('must be a URL'),
        v.check(isLocalOrSafe, 'must be https, except on this machine'),
        v.check((value) => !value.endsWith('/'), 'must not end with a slash'),
      ),
    ),
  },
  {
    ...clientMeanings,
    OAUTH_PROVIDERS_URL: 'A stand-in for tests that has every host of every provider as a folder.',
  },
)

export type OAuthSettings = {
  clients: Readonly<Partial<Record<SocialProvider, OAuthClient>>>
  /** The base URL of sandbox providers, one folder per host. Undefined for the real providers. */
  providersUrl: string | undefined
}

export function readOAuthSettings(config: Parameters<typeof oauthEnvironment.read>[0]): OAuthSettings {
  const values = oauthEnvironment.read(config)
  const clients: Partial<Record<SocialProvider, OAuthClient>> = {}
  for (const provider of socialProviders) {
    const client = values[getVariable(provider)]
    if (client) clients[provider] = client
  }
  return { clients, providersUrl: values.OAUTH_PROVIDERS_URL }
}
