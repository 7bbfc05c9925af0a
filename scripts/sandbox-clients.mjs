// Who the product is at the OAuth providers that the sandbox plays. Nothing here opens anything elsewhere.

const providers = ['discord', 'github', 'google', 'linkedin', 'spotify', 'instagram', 'twitter', 'tiktok']

/** The sandbox knows its other half. */
const appleKey =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFynARlBe3/3WaMmFiMXIt5rbW5mbPZwn5SESvbJojvShRANCAASbDqOPr5Z7JBsvgFGeoX5T8HKA7r4dYq2ER+kCKkdOtUyy8mNhhcgEUvsFT6sCSzTLK2BLJVtXNRcyLwqoKQNJ'

/** For the environment of a server; the address is that of the sandbox. */
export const oauthAtSandbox = (sandboxUrl) => ({
  OAUTH_PROVIDERS_URL: `${sandboxUrl}/oauth`,
  OAUTH_APPLE: `client-of-apple:SANDBOXTEA:SANDBOXKEY:${appleKey}`,
  ...Object.fromEntries(
    providers.map((name) => [`OAUTH_${name.toUpperCase()}`, `client-of-${name}:secret-of-${name}`]),
  ),
})
