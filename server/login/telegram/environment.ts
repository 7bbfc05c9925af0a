import * as v from 'valibot'
import type { ServerConfig } from '../../kernel/config.ts'
import { environmentPart } from '../../kernel/environment.ts'

/** Bot tokens by bot id, which is the first part of the token from @BotFather. */
export type BotTokens = ReadonlyMap<string, string>

const tokens = /^[1-9][0-9]{0,15}:[\w-]{20,}(\s+[1-9][0-9]{0,15}:[\w-]{20,})*$/

/** Accepts https, and http on localhost. */
const isLocalOrSafe = (value: string) =>
  /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|[a-z0-9-]+\.localhost)[:/])/.test(`${value}/`)

export const telegramEnvironment = environmentPart(
  {
    TELEGRAM_BOTS: v.optional(
      v.pipe(
        v.string(),
        v.trim(),
        v.regex(tokens, 'must be the tokens of bots from @BotFather, separated by spaces'),
        v.transform(
          (value): BotTokens =>
            new Map(value.split(/\s+/).map((token) => [token.split(':')[0] ?? '', token])),
        ),
      ),
    ),
    TELEGRAM_URL: v.optional(
      v.pipe(
        v.string(),
        v.url('must be a URL'),
        v.check(isLocalOrSafe, 'must be https, except on this machine'),
        v.check((value) => URL.parse(value)?.origin === value, 'must be an origin, without a path'),
      ),
      'https://oauth.telegram.org',
    ),
  },
  {
    TELEGRAM_BOTS: {
      meaning: 'The tokens of your bots from @BotFather, separated by spaces.',
      isSecret: true,
    },
    TELEGRAM_URL: 'The origin of the page where users confirm a login by Telegram.',
  },
)

type Sources = { config: Pick<ServerConfig, 'parts'> }

export const getBotToken = ({ config }: Sources, botId: string): string | undefined =>
  telegramEnvironment.read(config).TELEGRAM_BOTS?.get(botId)

/** The origin of Telegram's authorization page. */
export const getTelegramOrigin = ({ config }: Sources): string =>
  telegramEnvironment.read(config).TELEGRAM_URL

/** Returns the environment variables that login by Telegram still needs. */
export const missingForTelegram = (config: ServerConfig): readonly string[] =>
  telegramEnvironment.read(config).TELEGRAM_BOTS === undefined ? ['TELEGRAM_BOTS'] : []
