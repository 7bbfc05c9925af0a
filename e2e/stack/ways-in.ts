/** App settings that enable login methods. */
const bot = {
  bot_id: '7000000001',
  bot_name: 'FieldnotesBot',
  link_enabled: true,
  seamless_auth_enabled: true,
}
export const telegramOn = [`telegram_auth_config=${JSON.stringify(bot)}`, 'telegram_auth=true'] as const

const providers = [
  'google',
  'twitter',
  'discord',
  'github',
  'linkedin',
  'apple',
  'spotify',
  'tiktok',
  'instagram',
]
export const everyWayInOn: readonly string[] = [
  ...['sms_auth', 'wallet_auth', 'passkey_auth', 'farcaster_auth'].map((name) => `${name}=true`),
  ...providers.map((name) => `${name}_oauth=true`),
  ...telegramOn,
]
