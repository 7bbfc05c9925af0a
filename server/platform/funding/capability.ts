import { LatchkeyError } from '@latchkey/protocol'
import { apiPrefix, fundingRoutes } from '@latchkey/protocol/api'
import { type Capability, port } from '../../kernel/capability.ts'
import type { ServerConfig } from '../../kernel/config.ts'
import { readBody } from '../../kernel/http/body.ts'
import { type Endpoint, endpoint, replayedEndpoint } from '../../kernel/http/endpoint.ts'
import { type Page, page } from '../../kernel/http/pages/page.ts'
import { fundingEnvironment } from './environment.ts'
import { begin, createSignedUrl, type FundingSession, getStatus, handleWebhook } from './funding.ts'
import { fundingServerLimits } from './limits.ts'
import { createMoonPay } from './moonpay/moonpay.ts'
import { onRampProvider } from './provider.ts'
import { fundingMigrations } from './tables.ts'

const fundingEndpoints: readonly Endpoint[] = [
  replayedEndpoint(fundingRoutes.signFunding, {
    decide: (trx, { app, caller, body }, context) => begin(trx, context, app, caller, body),
    render: (begun: FundingSession, { app, body }, context) => ({
      signedUrl: createSignedUrl(context, app, begun, body.config),
      externalTransactionId: begun.reference,
    }),
  }),

  endpoint(fundingRoutes.fundingStatus, ({ app, caller, query, c }, context) =>
    getStatus(context, app, caller, query.externalTransactionId, c.req.raw.signal),
  ),
]

/** The provider webhook. The signature authenticates it. */
const fundingPages: readonly Page[] = [
  page({
    site: 'any',
    method: 'POST',
    path: `${apiPrefix}/plugins/moonpay_on_ramp/webhook`,
    openedBy: 'anybody',
    async answer({ c }, context) {
      const body = await readBody(c, 'application/json')
      const outcome = await handleWebhook(context, c.req.raw.headers, body)
      if (outcome === 'heard') return { type: 'json', value: { success: true } }
      throw new LatchkeyError('invalid_credentials', 'The webhook signature is invalid')
    },
  }),
]

const providerFor = (config: ServerConfig) => {
  const {
    MOONPAY_LIVE: live,
    MOONPAY_SANDBOX: test,
    MOONPAY_HOSTS_URL: hostsUrl,
  } = fundingEnvironment.read(config)
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
  /** Returns only the addresses of features that the app has enabled. */
  addresses({ config: app }, config) {
    if (!app.fiatOnRampEnabled) return {}
    const provider = providerFor(config)
    const [live, test] = [provider.pageAt(false), provider.pageAt(true)]
    const { FAUCET_URLS: faucets } = fundingEnvironment.read(config)
    const ofTests = [...faucets].filter(([chainId]) => app.testNetworks.includes(chainId))
    return {
      ...(live !== undefined && { moonpay: live }),
      ...(test !== undefined && { moonpaySandbox: test }),
      ...Object.fromEntries(ofTests.map(([chainId, address]) => [`faucet${chainId}`, address])),
    }
  },
  migrations: fundingMigrations,
  userRows: [{ table: 'funding_sessions', goes: 'with the account', by: ['app_id', 'user_id'] }],
  expiryRules: [
    {
      table: 'funding_sessions',
      key: ['id'],
      column: 'created_at',
      retentionSeconds: fundingServerLimits.keptSeconds,
    },
  ],
  settings: ['fiatOnRampEnabled'],
}
