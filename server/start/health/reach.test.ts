import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { collectEnvironment, collectThirdParties } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { createTestLog } from '../../testing/fixture.ts'
import { freePort } from '../../testing/program.ts'
import { capabilities } from '../capabilities.ts'
import { logUnreachable } from './reach.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const oneTry = { tries: 1, betweenMs: 1, deadlineMs: 2_000 }
const listParties = (environment: Readonly<Record<string, string>>) =>
  collectThirdParties(capabilities, parseConfig(environment, collectEnvironment(capabilities)))

async function collectWarnings(environment: Readonly<Record<string, string>>, variable: string) {
  const { log, logged } = createTestLog()
  const parties = listParties(environment).filter((party) => party.variable === variable)
  await logUnreachable(parties, log, new AbortController().signal, oneTry)
  return logged()
}

async function startChain(chainId: number): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${chainId.toString(16)}` }))
  }).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-in-the-path`
}
const production = {
  DIALOG_ORIGIN: 'https://dialog.example',
  WALLET_ORIGIN: 'https://wallet.example',
}

test('logs an unreachable mail server with its variable and host, but without its password', async () => {
  const port = await freePort()
  const warnings = await collectWarnings({ SMTP_URL: `smtp://user:secret@127.0.0.1:${port}` }, 'SMTP_URL')
  expect(warnings).toMatchObject([
    { variable: 'SMTP_URL', host: `127.0.0.1:${port}`, msg: 'cannot be reached' },
  ])
  expect(JSON.stringify(warnings)).not.toContain('secret')
})

test('accepts an RPC node with the configured chain id, and warns about another chain id', async () => {
  const url = await startChain(10)
  expect(await collectWarnings({ ...production, CHAIN_RPC_URLS: `10=${url}` }, 'CHAIN_RPC_URLS')).toEqual([])
  const warnings = await collectWarnings({ ...production, CHAIN_RPC_URLS: `1=${url}` }, 'CHAIN_RPC_URLS')
  expect(warnings).toMatchObject([{ why: 'the node is of chain 10, not 1' }])
  expect(JSON.stringify(warnings)).not.toContain('key-in-the-path')
})

test('accepts one development node for several chains', async () => {
  const url = await startChain(31_337)
  expect(await collectWarnings({ CHAIN_RPC_URLS: `10=${url}` }, 'CHAIN_RPC_URLS')).toEqual([])
})

test('checks each configured OAuth provider and no others', async () => {
  const port = await freePort()
  const environment = {
    OAUTH_GOOGLE: 'client:secret',
    OAUTH_GITHUB: 'client:secret',
    OAUTH_PROVIDERS_URL: `http://127.0.0.1:${port}/oauth`,
  }
  const oauth = listParties(environment).filter(({ variable }) => variable.startsWith('OAUTH_'))
  expect(oauth.map(({ variable }) => variable)).toEqual(['OAUTH_GOOGLE', 'OAUTH_GITHUB'])
  expect(await collectWarnings(environment, 'OAUTH_GOOGLE')).toMatchObject([
    { variable: 'OAUTH_GOOGLE', why: 'ECONNREFUSED' },
  ])
})

test('does not warn about a service that becomes available a moment later', async () => {
  const port = await freePort()
  const { log, logged } = createTestLog()
  const server = createTcpServer((socket) => socket.end())
  closing.push(() => server.close())
  setTimeout(() => server.listen(port, '127.0.0.1'), 50)
  const parties = [{ variable: 'PRICE_FEED_URL', url: `http://127.0.0.1:${port}` }]
  await logUnreachable(parties, log, new AbortController().signal, {
    tries: 200,
    betweenMs: 20,
    deadlineMs: 2_000,
  })
  expect(logged()).toEqual([])
})

test('stops checking at shutdown, without a warning', async () => {
  const { log, logged } = createTestLog()
  const ending = new AbortController()
  const looking = logUnreachable(
    [{ variable: 'PRICE_FEED_URL', url: `http://127.0.0.1:${await freePort()}` }],
    log,
    ending.signal,
    { tries: 5, betweenMs: 60_000, deadlineMs: 2_000 },
  )
  ending.abort()
  await looking
  expect(logged()).toEqual([])
})
