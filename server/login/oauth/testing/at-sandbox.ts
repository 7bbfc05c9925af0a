/** Client credentials at the sandbox's providers, and the browser's steps on the consent page. */
import { socialProviders } from '@latchkey/protocol'
import { parseConfig, type ServerConfig } from '../../../kernel/config.ts'
import type { EnvironmentPart } from '../../../kernel/environment.ts'
import { getVariable, oauthEnvironment } from '../environment.ts'
import type { SocialProvider } from '../provider.ts'

/** The sandbox has the public key. */
const appleKey =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFynARlBe3/3WaMmFiMXIt5rbW5mbPZwn5SESvbJojvShRANCAASbDqOPr5Z7JBsvgFGeoX5T8HKA7r4dYq2ER+kCKkdOtUyy8mNhhcgEUvsFT6sCSzTLK2BLJVtXNRcyLwqoKQNJ'

export const sandboxClients = Object.fromEntries(
  socialProviders.map((provider) => [
    getVariable(provider),
    provider === 'apple'
      ? `client-of-apple:SANDBOXTEA:SANDBOXKEY:${appleKey}`
      : `client-of-${provider}:secret-of-${provider}`,
  ]),
)

export const configAtSandbox = (
  sandbox: string,
  changes: Readonly<Record<string, string | undefined>> = {},
  parts: readonly EnvironmentPart[] = [oauthEnvironment],
): ServerConfig =>
  parseConfig({ ...sandboxClients, OAUTH_PROVIDERS_URL: `${sandbox}/oauth`, ...changes }, parts)

/** The user's choice on the consent page. */
export type Choice =
  | { person: string }
  | { without_email: string }
  | { denied: 'yes' }
  | { trial: 'suspended' | 'expired-code' | 'rate-limited' }

/** The browser's return: by a link, or by a form post of the provider. */
export type WayBack = {
  method: 'GET' | 'POST'
  url: string
  fields: Readonly<Record<string, string>>
}

export async function consentAt(authorizationUrl: string, choice: Choice): Promise<WayBack> {
  const shown = await fetch(authorizationUrl)
  const page = await shown.text()
  const [, request = ''] = /name="request" value="([^"]+)"/.exec(page) ?? []
  if (request === '') throw new Error(page)
  const answer = await fetch(new URL('/oauth/consent', authorizationUrl), {
    method: 'POST',
    body: new URLSearchParams({ request, ...choice }),
    redirect: 'manual',
  })
  const location = answer.headers.get('location')
  if (location !== null) {
    const url = new URL(location)
    const fields = Object.fromEntries(url.searchParams)
    url.search = ''
    return { method: 'GET', url: url.href, fields }
  }
  const form = await answer.text()
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))),
  ])
  const [, url = ''] = /action="([^"]+)"/.exec(form) ?? []
  return { method: 'POST', url, fields: Object.fromEntries(fields) }
}

export const everyProvider = [
  'apple',
  'discord',
  'github',
  'google',
  'linkedin',
  'spotify',
  'instagram',
  'twitter',
  'tiktok',
] as const satisfies readonly SocialProvider[]
