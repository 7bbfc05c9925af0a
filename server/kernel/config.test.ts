import { expect, test } from 'vitest'
import { capabilities } from '../start/capabilities.ts'
import { collectEnvironment } from './capability.ts'
import { ConfigError, parseConfig } from './config.ts'

const refusal = (environment: Record<string, string>) => {
  try {
    parseConfig(environment, collectEnvironment(capabilities))
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return undefined
}

test('an empty environment configures a development server: one port, two hostnames, SQLite', () => {
  const config = parseConfig({})
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 4000,
    dialogOrigin: 'http://dialog.localhost:4000',
    walletOrigin: 'http://wallet.localhost:4000',
    issuer: 'http://dialog.localhost:4000',
    databaseConnections: 16,
    drainMs: 5_000,
    trustedProxies: [],
  })
  expect(config.databaseUrl).toMatch(/\.data\/database\/latchkey\.sqlite$/)
})

test('origins and issuer default to the port and the dialog origin', () => {
  expect(parseConfig({ PORT: '4370' }).walletOrigin).toBe('http://wallet.localhost:4370')
  const config = parseConfig({
    DIALOG_ORIGIN: 'https://login.example',
    WALLET_ORIGIN: 'https://keys.example',
  })
  expect(config.issuer).toBe('https://login.example')
})

test.each([
  [{ PORT: 'http' }, 'PORT must be a number'],
  [{ PORT: '70000' }, 'PORT must be at most 65535'],
  [{ DATABASE_CONNECTIONS: '0' }, 'DATABASE_CONNECTIONS must be at least 1'],
  [{ DRAIN_MS: '5s' }, 'DRAIN_MS must be a number'],
  [{ DIALOG_ORIGIN: 'https://login.example/' }, 'DIALOG_ORIGIN must be an origin'],
  [{ WALLET_ORIGIN: 'wallet.example' }, 'WALLET_ORIGIN must be an origin'],
  [{ DIALOG_ORIGIN: 'http://one.localhost:1', WALLET_ORIGIN: 'http://one.localhost:2' }, 'another hostname'],
  [{ DIALOG_ORIGIN: 'http://login.example' }, 'must be https'],
  [{ DATABASE_URL: 'mysql://db' }, 'DATABASE_URL must be postgres://'],
  [
    { DATABASE_URL: '/data/db.sqlite', MASTER_KEY_FILE: '/data/keys/master.key' },
    'MASTER_KEY_FILE must be outside',
  ],
  [
    { DATABASE_URL: '/data/db.sqlite', RECOVERY_MASTER_KEY_FILE: '/data/keys/recovery.key' },
    'RECOVERY_MASTER_KEY_FILE must be outside',
  ],
  [
    { MASTER_KEY_FILE: '/keys/master.key', RECOVERY_MASTER_KEY_FILE: '/keys/../keys/master.key' },
    'RECOVERY_MASTER_KEY_FILE must be another file than MASTER_KEY_FILE',
  ],
  [{ SMTP_URL: 'mail.example:25' }, 'SMTP_URL must be smtp://'],
  [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM must be an address'],
  [{ TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, 'TRUSTED_PROXIES'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
  [{ METRICS_ADDRESS: '9464' }, 'METRICS_ADDRESS must be <host>:<port>'],
  [{ METRICS_ADDRESS: '127.0.0.1:0' }, 'METRICS_ADDRESS must have a port from 1 to 65535'],
  [{ METRICS_ADDRESS: '127.0.0.1:99999' }, 'METRICS_ADDRESS must have a port from 1 to 65535'],
  [{ METRICS_ADDRESS: '0.0.0.0:4000' }, 'METRICS_ADDRESS must have another port than PORT'],
])('%o is rejected with the name of the variable', (environment, message) => {
  expect(refusal(environment)).toContain(message)
})

test('the metrics address is a host and a port, including IPv6, and has no default', () => {
  expect(parseConfig({}).metricsAddress).toBeUndefined()
  expect(parseConfig({ METRICS_ADDRESS: '127.0.0.1:9464' }).metricsAddress).toEqual({
    host: '127.0.0.1',
    port: 9464,
  })
  expect(parseConfig({ METRICS_ADDRESS: '[::1]:9464' }).metricsAddress).toEqual({ host: '::1', port: 9464 })
})

test('reports all invalid variables at once', () => {
  expect(refusal({ PORT: 'x', LOG_LEVEL: 'y' })).toMatch(/PORT .*\nLOG_LEVEL /)
  const everywhere = refusal({ PORT: 'x', DATABASE_URL: 'mysql://db', SMTP_URL: 'mail.example:25' })
  expect(everywhere).toMatch(/^PORT .*\nDATABASE_URL .*\nSMTP_URL .*$/)
})
