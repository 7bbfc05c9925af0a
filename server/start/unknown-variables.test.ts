import { expect, test } from 'vitest'
import { documentedVariables, unknownVariables } from './unknown-variables.ts'

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['MAIL_FORM', 'MAIL_FROM'],
  ['TRUSTED_PROXY', undefined],
  ['TRUSTED_PROXIE', 'TRUSTED_PROXIES'],
  ['OAUTH_GOOGEL', 'OAUTH_GOOGLE'],
  ['WALLET_ORIGINS', 'WALLET_ORIGIN'],
  ['PROT', 'PORT'],
])('a server that gets %s suggests %s', (variable, suggestion) => {
  expect(unknownVariables({ [variable]: 'x' })).toEqual(
    suggestion === undefined ? [] : [{ variable, suggestion }],
  )
})

test('a variable with the prefix of the product is reported without a suggestion', () => {
  expect(unknownVariables({ LATCHKEY_THEME: 'dark' })).toEqual([{ variable: 'LATCHKEY_THEME' }])
})

test('variables of the system, of Kubernetes and of OpenTelemetry are not reported', () => {
  const ordinary = [
    ...['PATH', 'HOME', 'HOSTNAME', 'USER', 'LANG', 'TERM', 'SHELL', 'MAIL', 'TZ', 'NODE_ENV', 'PGPASSWORD'],
    ...['npm_package_name', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'XDG_RUNTIME_DIR', 'INVOCATION_ID'],
    ...['LATCHKEY_PORT_BASE', 'LATCHKEY_PORT', 'LATCHKEY_SERVICE_HOST', 'LATCHKEY_PORT_4000_TCP_ADDR'],
    ...['OTEL_EXPORTER_OTLP_HEADERS'],
  ]
  const environment = Object.fromEntries([...ordinary, ...documentedVariables].map((name) => [name, 'x']))
  expect(unknownVariables(environment)).toEqual([])
})
