export const telegramLimits = {
  /** What Telegram signed is good for so long after its `auth_date`. */
  proofSeconds: 5 * 60,
  hashLength: 64,
  maxFieldLength: 4_096,
} as const
