/** Verifies signatures against a real chain, and handles chains that return no result. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Hex } from 'viem'
import {
  concatHex,
  encodeAbiParameters,
  encodeErrorResult,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  size,
} from 'viem/utils'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../../kernel/config.ts'
import { startChain } from '../../testing/sandbox.ts'
import { chainEnvironment } from './environment.ts'
import { createRpcChains } from './rpc-chains.ts'
import { createContractWallets, createKeyWallet, type TestWallet } from './testing/contract-wallets.ts'

const chainUrl = await startChain()
const wallets = await createContractWallets(chainUrl)

const message = 'Anything at all'
const inTime = () => AbortSignal.timeout(10_000)
const ask = async (
  { address }: Pick<TestWallet, 'address'>,
  signature: Hex,
  { url = chainUrl, chainId = 31_337 } = {},
) =>
  createRpcChains(new Map([[31_337, url]])).verifyMessage({ chainId, address, message, signature }, inTime())

describe('a contract wallet', () => {
  test('accepts the owner’s signature of a deployed contract wallet (ERC-1271), and no other one', async () => {
    const wallet = await wallets.deployed()
    expect(await wallets.codeAt(wallet.address)).toMatch(/^0x60/)
    expect(await ask(wallet, await wallet.sign(message))).toEqual({ type: 'right' })
    expect(await ask(wallet, await wallet.sign('Something else'))).toEqual({ type: 'wrong' })
    expect(await ask(wallet, await createKeyWallet().sign(message))).toEqual({ type: 'wrong' })
  })

  test('accepts a signature of a counterfactual wallet without deploying it (ERC-6492)', async () => {
    const wallet = await wallets.counterfactual()
    expect(await ask(wallet, await wallet.sign(message))).toEqual({ type: 'right' })
    expect(await wallets.codeAt(wallet.address)).toBeUndefined()
    expect(await ask(wallet, await wallet.sign('Something else'))).toEqual({ type: 'wrong' })
    // The same signature without the deployment data: no contract exists that could verify it.
    expect(await ask(wallet, await wallet.owner.signMessage({ message }))).toEqual({ type: 'wrong' })
    // The deployment data of one wallet proves nothing about another.
    const other = await wallets.counterfactual()
    expect(await ask(other, await wallet.sign(message))).toEqual({ type: 'wrong' })
  })

  test.each<[string, Hex]>([
    ['too short for it, so that it reverts', '0x00'],
    ['without end', `0x${'ab'.repeat(4_000)}`],
    ['the wrapping of ERC-6492 with nothing in it', `0x${'64926492'.repeat(8)}`],
    ['the wrapping of ERC-8010 with nothing in it', `0x${'80108010'.repeat(8)}`],
  ])('rejects a signature that is %s', async (_name, signature) => {
    expect(await ask(await wallets.deployed(), signature)).toEqual({ type: 'wrong' })
  })
})

/** Returns revert data that requests a CCIP read from a URL (EIP-3668). */
const askElsewhere = (sender: Hex, url: string) =>
  encodeErrorResult({
    abi: parseAbi([
      'error OffchainLookup(address sender, string[] urls, bytes data, bytes4 callback, bytes extra)',
    ]),
    args: [sender, [url], '0x', '0x11111111', '0x'],
  })
/** Returns the bytecode of a contract that always reverts with this data: CODECOPY from offset 13, then REVERT. */
const alwaysRevertsWith = (data: Hex): Hex => {
  const bytes = numberToHex(size(data), { size: 2 }).slice(2)
  return `0x61${bytes}61000d5f3961${bytes}5ffd${data.slice(2)}`
}
/** Returns a signature of a key that delegates to a contract (ERC-8010). */
const signedAs = (delegation: Hex): Hex => {
  const [authorization] = parseAbiParameters(
    '(uint256 chainId, address delegation, uint256 nonce, uint8 yParity, uint256 r, uint256 s)',
  )
  const parameters = [authorization, { type: 'address' }, { type: 'bytes' }] as const
  const delegated = { chainId: 31_337n, delegation, nonce: 0n, yParity: 0, r: 1n, s: 1n }
  const wrapping = encodeAbiParameters(parameters, [delegated, delegation, '0x'])
  return concatHex(['0x00', wrapping, numberToHex(size(wrapping), { size: 32 }), `0x${'8010'.repeat(16)}`])
}

test('requests no URL that a contract names (CCIP read)', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(String(request.url))
    response.setHeader('content-type', 'application/json').end('{"data":"0x00"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  const port = typeof at === 'object' && at ? at.port : 0
  const { address } = createKeyWallet()
  const contract = '0x00000000000000000000000000000000000ec002'
  await wallets.setCode(contract, alwaysRevertsWith(askElsewhere(address, `http://127.0.0.1:${port}/{data}`)))
  await wallets.setCode(address, concatHex(['0xef0100', contract]))
  expect(await ask({ address }, signedAs(contract))).toEqual({ type: 'wrong' })
  server.close()
  expect(asked).toEqual([])
})

describe('a chain', () => {
  test('sends no request for a chain that the operator did not configure', async () => {
    const wallet = await wallets.deployed()
    expect(await ask(wallet, await wallet.sign(message), { chainId: 1 })).toEqual({ type: 'unknown-chain' })
  })

  const limited = { jsonrpc: '2.0', id: 1, error: { code: -32_005, message: 'daily request count exceeded' } }
  test.each([
    ['answers with a page', 200, '<!doctype html>'],
    ['answers with anything', 200, JSON.stringify({ jsonrpc: '2.0', id: 1, result: true })],
    ['is down', 502, 'Bad gateway'],
    ['takes no more calls', 200, JSON.stringify(limited)],
    ['refuses the key of the operator', 401, JSON.stringify({ error: 'unauthorized' })],
    ['sends somewhere else', 307, ''],
  ])('returns a failure for a chain that %s', async (_name, status, body) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { location: chainUrl }).end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const at = server.address()
    const port = typeof at === 'object' && at ? at.port : 0
    const wallet = await wallets.deployed()
    const answer = await ask(wallet, await wallet.sign(message), { url: `http://127.0.0.1:${port}` })
    server.close()
    expect(answer).toMatchObject({ type: 'failed', why: expect.any(String) })
  })

  test('returns a failure for an unreachable chain', async () => {
    const wallet = await wallets.deployed()
    const answer = await ask(wallet, await wallet.sign(message), { url: 'http://127.0.0.1:1' })
    expect(answer).toMatchObject({ type: 'failed' })
  })

  test('aborts the request when the caller aborts', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const at = server.address()
    const port = typeof at === 'object' && at ? at.port : 0
    const over = new AbortController()
    server.on('request', () => over.abort(new Error('over')))
    const wallet = await wallets.deployed()
    const answer = await createRpcChains(new Map([[1, `http://127.0.0.1:${port}`]])).verifyMessage(
      { chainId: 1, address: wallet.address, message, signature: await wallet.sign(message) },
      over.signal,
    )
    server.closeAllConnections()
    server.close()
    expect(answer).toMatchObject({ type: 'failed', why: expect.stringContaining('over') })
  })
})

describe('a contract call', () => {
  // Bytecode that returns its first argument: CALLDATALOAD of 0.
  const echo = '0x5f355f5260205ff3'
  const word = `0x${'00'.repeat(31)}2a` as const
  const address = '0x00000000000000000000000000000000000ec001'
  const asked = (chainId = 31_337, url = chainUrl, at: Hex = address) => {
    const chains = createRpcChains(new Map([[31_337, url]]))
    return chains.callContract({ chainId, address: at, data: word }, inTime())
  }
  beforeAll(() => wallets.setCode(address, echo))

  test('returns the contract’s data, and empty data for an address without code', async () => {
    expect(await asked()).toEqual({ type: 'said', data: word })
    expect(await asked(31_337, chainUrl, `0x${'11'.repeat(20)}`)).toEqual({ type: 'said', data: '0x' })
  })

  test('returns a failure for an unreachable or unconfigured chain', async () => {
    expect(await asked(31_337, 'http://127.0.0.1:1')).toMatchObject({ type: 'failed' })
    expect(await asked(10)).toEqual({ type: 'failed', why: 'no RPC URL is configured for chain 10' })
    expect(createRpcChains(new Map([[10, chainUrl]])).has(10)).toBe(true)
    expect(createRpcChains(new Map([[10, chainUrl]])).has(1)).toBe(false)
  })

  test('lists the operator’s node of a chain, or else those of the app', () => {
    const app = {
      config: { rpcUrls: { 1: ['https://a.example', 'https://b.example'], 10: ['https://c.example'] } },
    }
    const { listNodes } = createRpcChains(new Map([[10, chainUrl]]))
    expect(listNodes(app, '10')).toEqual([{ chainId: '10', url: chainUrl }])
    expect(listNodes(app, '1').map(({ url }) => url)).toEqual(['https://a.example', 'https://b.example'])
    expect(listNodes(app, '5')).toEqual([])
  })

  test('returns a failure for a revert', async () => {
    await wallets.setCode(address, '0x5f5ffd')
    expect(await asked()).toMatchObject({ type: 'failed', why: 'JSON-RPC error 3' })
  })
})

describe('CHAIN_RPC_URLS', () => {
  const read = (value?: string) =>
    chainEnvironment.read(
      parseConfig(value === undefined ? {} : { CHAIN_RPC_URLS: value }, [chainEnvironment]),
    ).CHAIN_RPC_URLS

  test('CHAIN_RPC_URLS maps chain ids to RPC URLs', () => {
    expect(read('1=https://rpc.example/v3/key  31337=http://127.0.0.1:4035')).toEqual(
      new Map([
        [1, 'https://rpc.example/v3/key'],
        [31_337, 'http://127.0.0.1:4035'],
      ]),
    )
    expect(read()).toEqual(new Map())
  })

  test.each([
    'https://rpc.example',
    '0=https://rpc.example',
    '1=ftp://rpc.example',
    'one=https://rpc.example',
  ])('CHAIN_RPC_URLS rejects %j at start', (value) => {
    expect(() => read(value)).toThrow('CHAIN_RPC_URLS must be <chain id>=<http address>')
  })
})
