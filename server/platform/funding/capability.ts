import { type Capability, port } from '../../kernel/capability.ts'
import type { ServerConfig } from '../../kernel/config.ts'
import { fundingEnvironment } from './environment.ts'
import { fundingServerLimits } from './limits.ts'
import { createMoonPay } from './moonpay/moonpay.ts'
import { fundingPages } from './pages.ts'
import { onRampProvider } from './provider.ts'
import { fundingEndpoints } from './routes.ts'
import { forgetFunding } from './store.ts'
import { fundingMigrations } from './tables.ts'

const providerFor = (config: ServerConfig) => {
  const {
    MOONPAY_LIVE: live,
    MOONPAY_SANDBOX: test,
    MOONPAY_HOSTS_URL: hostsUrl,
  } = fundingEnvironment.of(config)
  return createMoonPay({ live, test, hostsUrl })
}

export const funding: Capability = {
  name: 'funding',
  endpoints: fundingEndpoints,
  pages: fundingPages,
  environment: fundingEnvironment,
  ports: [
    port(onRampProvider, ({ config, log }) => {
      const value = providerFor(config)
      const missing = [
        ...(value.pageAt(false) === undefined ? ['MOONPAY_LIVE'] : []),
        ...(value.pageAt(true) === undefined ? ['MOONPAY_SANDBOX'] : []),
      ]
      if (missing.length === 2) log.info({ missing }, 'card payments not configured')
      else log.info({ missing }, 'card payments configured')
      return { value }
    }),
  ],
  /** A name says that there is something; of what the app has off there is no name. */
  addresses({ config: app }, config) {
    if (!app.fiatOnRampEnabled) return {}
    const provider = providerFor(config)
    const [live, test] = [provider.pageAt(false), provider.pageAt(true)]
    const { FAUCET_URLS: faucets } = fundingEnvironment.of(config)
    const ofTests = [...faucets].filter(([chainId]) => app.testNetworks.includes(chainId))
    return {
      ...(live !== undefined && { moonpay: live }),
      ...(test !== undefined && { moonpaySandbox: test }),
      ...Object.fromEntries(ofTests.map(([chainId, address]) => [`faucet${chainId}`, address])),
    }
  },
  migrations: fundingMigrations,
  forget: forgetFunding,
  expiries: [
    {
      table: 'funding_sessions',
      key: ['id'],
      column: 'created_at',
      keptSeconds: fundingServerLimits.keptSeconds,
    },
  ],
  settings: ['fiatOnRampEnabled'],
}
