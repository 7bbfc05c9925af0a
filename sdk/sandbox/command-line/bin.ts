#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { freePorts, type Ports, parsePorts, portsFrom } from '../programs/ports.ts'
import { serveControl } from '../start/control.ts'
import { defaultAppId, type Product, productAddresses, startProduct } from '../start/product.ts'

const usage = `Runs Latchkey on this machine for your tests: server, dialog, wallet, and a sandbox that simulates mail,
text messages, OAuth providers, a chain and every other third party. Its data is deleted when it ends.

  npx @latchkey/sandbox --origin http://localhost:3000

  --origin <origin>        an origin whose pages may embed the dialog; repeatable
  --port <port>            the first of five ports (default: free ports)
  --ports <json>           all ports, as passed by @latchkey/testing
  --app-id <id>            25 lower-case letters and digits (default: ${defaultAppId})
  --app-name <name>        the name of your app in the dialog
  --set <field>=<value>    an app setting as for npm run app -- set; repeatable
  --method <name>          a login method to enable; repeatable (default: all)
  --env <NAME>=<value>     an environment variable of the server; repeatable
  --json                   prints the addresses as a line of JSON
  --verbose                also prints the output of the programs`

const refuse = (text: string): never => {
  console.error(`${text}\n\n${usage}`)
  process.exit(1)
}

function readOptions() {
  const many = { type: 'string', multiple: true, default: [] as string[] } as const
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      options: {
        origin: many,
        set: many,
        method: many,
        env: many,
        port: text,
        ports: text,
        'app-id': text,
        'app-name': text,
        json: flag,
        verbose: flag,
        help: flag,
      },
    }).values
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const options = readOptions()
if (options.help) {
  console.log(usage)
  process.exit(0)
}
if (options.origin.length === 0)
  refuse('Pass the origin that embeds the dialog: --origin http://localhost:3000')

function parsePort(text: string) {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_531) refuse(`--port must be a port number, not ${text}`)
  return portsFrom(port)
}
const variables = options.env.map((pair): [string, string] => {
  const at = pair.indexOf('=')
  return at < 1
    ? refuse(`--env ${pair} must have the form NAME=value`)
    : [pair.slice(0, at), pair.slice(at + 1)]
})

function parsePortsOption(text: string): Ports {
  try {
    return parsePorts(JSON.parse(text))
  } catch (error) {
    return refuse(`--ports ${text}: ${error instanceof Error ? error.message : error}`)
  }
}

const portsFromOption = options.port === undefined ? undefined : parsePort(options.port)
const ports =
  options.ports === undefined ? (portsFromOption ?? (await freePorts())) : parsePortsOption(options.ports)
const product: Product = await startProduct({
  ports,
  origins: options.origin,
  settings: options.set,
  ...(options['app-id'] !== undefined && { appId: options['app-id'] }),
  ...(options['app-name'] !== undefined && { appName: options['app-name'] }),
  ...(options.method.length > 0 && { methods: options.method }),
  serverEnvironment: Object.fromEntries(variables),
  isEchoed: options.verbose,
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
})
const closeControl = await serveControl(product, ports.control)

const end = async (code: number) => {
  await closeControl()
  await product.stop()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void end(0))
product.died.catch((error: Error) => {
  console.error(error.message)
  void end(1)
})

const addresses = productAddresses(ports, product.appId)
console.log(
  options.json
    ? JSON.stringify(addresses)
    : `App id:  ${addresses.appId}
Dialog:  ${addresses.dialogUrl}
Inbox:   ${addresses.sandboxUrl}  (mails, text messages, phone, chain, providers)
Chain:   ${addresses.chainUrl}  (chain 31337)
Control: ${addresses.controlUrl}`,
)
