/**
 * The product's credentials at the third parties that the sandbox simulates. They grant no access elsewhere.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const providers = ['discord', 'github', 'google', 'linkedin', 'spotify', 'instagram', 'twitter', 'tiktok']

/** The sandbox has the public key. */
const appleKey =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFynARlBe3/3WaMmFiMXIt5rbW5mbPZwn5SESvbJojvShRANCAASbDqOPr5Z7JBsvgFGeoX5T8HKA7r4dYq2ER+kCKkdOtUyy8mNhhcgEUvsFT6sCSzTLK2BLJVtXNRcyLwqoKQNJ'

/** A bot that every app of the sandbox may use. */
export const telegramBot = { id: '7000000001', name: 'FieldnotesBot' }

/** The key of anvil's last account. It is public. */
const relayKey = '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6'

/** The key pair of the account that pays the fees on Solana: its seed and its public key. It is public. */
export const solanaRelayKeypair = [
  ...Buffer.from(
    '714689b8d7d52b6607f9008a8a297040360bac8df30f609fe87e645c11c8d2705373d11099998d8bc84046df171917946da5495253bc7d97dff58c7941bf30d0',
    'hex',
  ),
]

/** Writes the keys of the accounts that pay the fees of users, and returns their variable of the server. */
export function createRelays(folder: string): Readonly<Record<string, string>> {
  const [file, solanaFile] = [join(folder, 'relay.key'), join(folder, 'solana.json')]
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, relayKey, { mode: 0o600 })
  writeFileSync(solanaFile, JSON.stringify(solanaRelayKeypair), { mode: 0o600 })
  return { SPONSORS: `31337=relay:${file} solana:devnet=relay:${solanaFile}` }
}

type Addresses = {
  /** The ports of the sandbox. */
  http: number
  smtp: number
  chain: number
  /** The URL for browsers, if it differs from the one for servers. */
  visitedUrl?: string
}

/** Returns the environment of a server that uses the sandbox for every third party. */
export const environmentAtSandbox = ({
  http,
  smtp,
  chain,
  visitedUrl = `http://127.0.0.1:${http}`,
}: Addresses): Readonly<Record<string, string>> => {
  const url = `http://127.0.0.1:${http}`
  const chainUrl = `http://127.0.0.1:${chain}`
  return {
    SMTP_URL: `smtp://127.0.0.1:${smtp}`,
    TWILIO_VERIFY_URL: `http://AC${'0'.repeat(32)}:sandbox@127.0.0.1:${http}/v2/Services/VA${'0'.repeat(32)}`,
    TWILIO_MESSAGING_SERVICE_SID: `MG${'0'.repeat(32)}`,
    TWILIO_API_URL: url,
    OAUTH_PROVIDERS_URL: `${visitedUrl}/oauth`,
    OAUTH_APPLE: `client-of-apple:SANDBOXTEA:SANDBOXKEY:${appleKey}`,
    ...Object.fromEntries(
      providers.map((name) => [`OAUTH_${name.toUpperCase()}`, `client-of-${name}:secret-of-${name}`]),
    ),
    CLOUDKIT: 'iCloud.sandbox.wallets:development:sandboxtokenofthecontainer',
    TELEGRAM_BOTS: `${telegramBot.id}:sandbox-token-of-fieldnotes-bot-000`,
    TELEGRAM_URL: visitedUrl,
    MOONPAY_LIVE: 'pk_live_sandbox:sk_live_sandbox:wk_live_sandbox',
    MOONPAY_SANDBOX: 'pk_test_sandbox:sk_test_sandbox:wk_test_sandbox',
    MOONPAY_HOSTS_URL: `${visitedUrl}/moonpay`,
    FAUCET_URLS: `31337=${visitedUrl}/faucet`,
    PRICE_FEED_URL: `${url}/price-feed`,
    // The sandbox coin has a price, so that amounts in dollars and the daily allowance can be tested.
    PRICE_FEED_COINS: '31337=ETH:ethereum',
    TURNSTILE_URL: visitedUrl,
    TURNSTILE_SECRET_KEY: '0x4AAAAAAAsandbox',
    FARCASTER_RELAY_URL: `${url}/farcaster`,
    FARCASTER_API_URL: `${url}/farcaster-api`,
    // The only Farcaster app in the sandbox.
    FARCASTER_APP: `9152:0x${'5a'.repeat(32)}`,
    // The sandbox chain also answers the server's requests for OP mainnet.
    CHAIN_RPC_URLS: `31337=${chainUrl} 10=${chainUrl}`,
    WALLETCONNECT_RELAY_URL: `ws://127.0.0.1:${http}/walletconnect`,
  }
}

/** Returns operator settings that enable everything the sandbox offers. */
export const settingsAtSandbox = (chainUrl: string): string[] => [
  `rpc_urls.31337=["${chainUrl}"]`,
  'chains=[{"id":31337,"name":"Sandbox","symbol":"ETH","decimals":18}]',
  `telegram_auth_config={"bot_id":"${telegramBot.id}","bot_name":"${telegramBot.name}","link_enabled":true,"seamless_auth_enabled":false}`,
  `wallet_connect_cloud_project_id=${'0'.repeat(32)}`,
  'mfa_methods=["totp","sms","passkey"]',
  'embedded_wallet_config.user_owned_recovery_options=["user-passcode","passkey","google-drive","icloud"]',
  'fiat_on_ramp_enabled=true',
  'sponsored_chains=[31337]',
  // The first blocks of the chain have high fees.
  'sponsor_limits.usd_per_operation=50',
  'sponsor_limits.usd_per_user_per_day=500',
  'sponsor_limits.usd_per_day=5000',
]
