// Who the product is at those that the sandbox plays. Nothing here opens anything elsewhere.

const providers = ['discord', 'github', 'google', 'linkedin', 'spotify', 'instagram', 'twitter', 'tiktok']

/** The sandbox knows its other half. */
const appleKey =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFynARlBe3/3WaMmFiMXIt5rbW5mbPZwn5SESvbJojvShRANCAASbDqOPr5Z7JBsvgFGeoX5T8HKA7r4dYq2ER+kCKkdOtUyy8mNhhcgEUvsFT6sCSzTLK2BLJVtXNRcyLwqoKQNJ'

/** For the environment of a server; the address is that of the sandbox. */
export const oauthAtSandbox = (sandboxUrl: string): Readonly<Record<string, string>> => ({
  OAUTH_PROVIDERS_URL: `${sandboxUrl}/oauth`,
  CLOUDKIT: 'iCloud.sandbox.wallets:development:sandboxtokenofthecontainer',
  OAUTH_APPLE: `client-of-apple:SANDBOXTEA:SANDBOXKEY:${appleKey}`,
  ...Object.fromEntries(
    providers.map((name) => [`OAUTH_${name.toUpperCase()}`, `client-of-${name}:secret-of-${name}`]),
  ),
})

export const moonPayAtSandbox = (sandboxUrl: string) => ({
  MOONPAY_LIVE: 'pk_live_sandbox:sk_live_sandbox:wk_live_sandbox',
  MOONPAY_SANDBOX: 'pk_test_sandbox:sk_test_sandbox:wk_test_sandbox',
  MOONPAY_HOSTS_URL: `${sandboxUrl}/moonpay`,
})

export const telegramAtSandbox = (sandboxUrl: string) => ({
  TELEGRAM_BOTS: '7000000001:sandbox-token-of-fieldnotes-bot-000',
  TELEGRAM_URL: sandboxUrl,
})
