/** Creates the payment configuration for the server from the host's options and the dialog's theme. */
import { getChainType } from '@latchkey/protocol'
import { defaultFundingCurrency, type FundingConfig, type SignedFundingConfig } from '@latchkey/protocol/api'
import { formatExact } from '@latchkey/protocol/reading'
import type { NeededFunds } from '../../contract/funds.ts'
import type { Settings } from '../../host/settings.ts'
import { parseHex } from '../../theme/oklch.ts'
import { deriveTheme } from '../../theme/theme.ts'

export type AskedFunds = {
  address: string
  config: FundingConfig
  needed?: NeededFunds | undefined
}

const SOLANA = 'SOL_SOLANA'
/** Returns whether the app uses the provider's sandbox, which sells test coins of one network only. */
const usesSandbox = ({ config }: Settings) => config.fiatOnRamp?.useSandbox === true

/** Returns the currency to buy, or undefined if the provider does not sell it. */
export function currencyToBuy({ address, needed }: AskedFunds, settings: Settings): string | undefined {
  if (getChainType(address) === 'solana') return SOLANA
  if (!needed || usesSandbox(settings)) return defaultFundingCurrency
  return findCurrency(needed.chain.id)
}

export function askedConfig(
  asked: AskedFunds,
  settings: Settings,
  prefersDark: boolean,
): SignedFundingConfig {
  const { config, needed } = asked
  const ownCurrency = currencyToBuy(asked, settings)
  const looks = config.uiConfig ?? toLooks(settings, prefersDark)
  const isNamed = config.currencyCode !== undefined || config.defaultCurrencyCode !== undefined
  return {
    ...config,
    ...(!isNamed && ownCurrency !== undefined && { defaultCurrencyCode: ownCurrency }),
    ...(needed && toAmount(needed)),
    uiConfig: looks,
    ...looks,
  }
}

function toAmount({ missing, chain }: NeededFunds) {
  const amount = chain.symbol === undefined ? 0 : Number(formatExact(missing, chain.decimals))
  return amount > 0 ? { quoteCurrencyAmount: amount } : {}
}

function toLooks({ app, config: { appearance } }: Settings, prefersDark: boolean) {
  const accent = [appearance?.accentColor, app.accentColor].find(
    (colour) => typeof colour === 'string' && parseHex(colour) !== undefined,
  )
  const theme = appearance?.theme ?? appearance?.palette?.colorScheme ?? app.theme
  const { scheme } = deriveTheme({ accent, theme, prefersDark })
  return { ...(accent && { accentColor: accent }), theme: scheme }
}

/** The provider's currency code for each chain id, in the notation of the specification. */
const currencies: Readonly<Record<string, string>> = {
  1: 'ETH_ETHEREUM',
  10: 'ETH_OPTIMISM',
  56: 'BNB_BNB',
  137: 'POL_POLYGON',
  8453: 'ETH_BASE',
  42161: 'ETH_ARBITRUM',
  42220: 'CELO_CELO',
  43114: 'AVAX_CCHAIN',
}

/** Returns the currency code of a chain, or undefined if the provider does not sell its currency. */
const findCurrency = (chainId: number): string | undefined =>
  Object.hasOwn(currencies, String(chainId)) ? currencies[String(chainId)] : undefined
