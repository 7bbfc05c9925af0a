import * as dns from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import type { LookupFunction } from 'node:net'
import { appId as appIdSchema } from '@latchkey/protocol'
import * as v from 'valibot'
import { parseConfig } from '../../kernel/config.ts'
import { release } from '../../kernel/release.ts'
import { verifyLimits } from '../verify/limits.ts'
import { type Request, type Verification, verifyServer } from '../verify/verify.ts'
import { parseCommand, UsageError } from './spec.ts'
import { verifySpec } from './specs/server.ts'

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(verifySpec, args)
  const [origin = '', ...more] = positionals
  const dialogOrigin = parseOrigin(origin)
  if (dialogOrigin === undefined || more.length > 0) {
    throw new UsageError('Name the origin of the dialog, such as https://dialog.example')
  }
  if (!v.is(appIdSchema, values.app)) throw new UsageError('Name an app of the server with --app <id>')
  // The folders of the built pages do not depend on the rest of the configuration.
  const { DIALOG_DIST, WALLET_DIST, LOADER_DIST } = process.env
  const folders = parseConfig({ DIALOG_DIST, WALLET_DIST, LOADER_DIST })
  const result = await verifyServer({ dialogOrigin, appId: values.app, folders, request })
  const lines = values.json ? [JSON.stringify({ release, ...result }, null, 2)] : format(result)
  process.stdout.write(`${lines.join('\n')}\n`)
  if (result.differences.length > 0) process.exitCode = 1
}

const parseOrigin = (text: string) => {
  const url = URL.parse(text)
  return url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' ? url.origin : undefined
}

/** `fetch` of Node replaces `Sec-Fetch-Mode`, which one of the pages requires. */
const request: Request = (address, headers) =>
  new Promise((resolve, reject) => {
    const { get } = address.startsWith('https:') ? https : http
    const signal = AbortSignal.timeout(verifyLimits.deadlineMs)
    get(address, { headers, signal, lookup }, (response) => {
      readWithin(response).then((body) => {
        const policy = response.headers['content-security-policy']
        resolve({ status: response.statusCode ?? 0, policy: String(policy ?? ''), body })
      }, reject)
    }).on('error', reject)
  })

/** Resolves `*.localhost` like browsers do. Not every resolver knows these names. */
const lookup: LookupFunction = (hostname, options, callback) =>
  dns.lookup(hostname.endsWith('.localhost') ? 'localhost' : hostname, options, callback)

async function readWithin(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += chunk.byteLength
    if (length > verifyLimits.maxBytes) throw new Error('The response is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function format({ walletOrigin, compared, differences, scriptSources }: Verification): string[] {
  const isSame = differences.length === 0
  return [
    ...differences.map(({ address, problem }) => `${address}: ${problem}`),
    isSame
      ? `All ${compared} pages and files are those of release ${release}.`
      : `${differences.length} of ${compared} pages and files differ from release ${release}.`,
    `The wallet is at ${walletOrigin}.`,
    ...(scriptSources.length > 0
      ? [`The dialog may also load scripts from ${scriptSources.join(', ')}.`]
      : []),
  ]
}
