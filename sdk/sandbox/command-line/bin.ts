#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { freePorts, type Ports, parsePorts, portsFrom } from '../programs/ports.ts'
import { serveControl } from '../start/control.ts'
import { addressesOf, defaultAppId, type Product, startProduct } from '../start/product.ts'

const usage = `Runs Latchkey on this machine for your tests: server, dialog, wallet, and a sandbox that stands in for mail,
text messages, OAuth providers, a chain and every other third party. What it stored is gone when it ends.

  npx @latchkey/sandbox --origin http://localhost:3000

  --origin <origin>        a page that may embed the dialog; may be repeated
  --port <port>            the first of five ports (default: any that are free)
  --ports <json>           each of them, as @latchkey/testing gives them
  --app-id <id>            25 lower-case letters and digits (default: ${defaultAppId})
  --app-name <name>        what the dialog calls your app
  --set <field>=<value>    a setting of the app, as npm run app -- set takes it; may be repeated
  --method <name>          a login method to turn on; may be repeated (default: all)
  --env <NAME>=<value>     a variable of the server; may be repeated
  --json                   prints the addresses as one line of JSON
  --verbose                prints what the programs print`

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
  refuse('Name the page that embeds the dialog: --origin http://localhost:3000')

function portsOf(text: string) {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_531) refuse(`--port must be a port number, not ${text}`)
  return portsFrom(port)
}
const variables = options.env.map((pair): readonly [string, string] => {
  const at = pair.indexOf('=')
  return at < 1
    ? refuse(`--env ${pair} is not of the form NAME=value`)
    : [pair.slice(0, at), pair.slice(at + 1)]
})

function portsIn(text: string): Ports {
  try {
    return parsePorts(JSON.parse(text))
  } catch (error) {
    return refuse(`--ports ${text}: ${error instanceof Error ? error.message : error}`)
  }
}

const named = options.port === undefined ? undefined : portsOf(options.port)
const ports = options.ports === undefined ? (named ?? (await freePorts())) : portsIn(options.ports)
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

const addresses = addressesOf(ports, product.appId)
console.log(
  options.json
    ? JSON.stringify(addresses)
    : `App id:  ${addresses.appId}
Dialog:  ${addresses.dialogUrl}
Inbox:   ${addresses.sandboxUrl}  (mails, text messages, phone, chain, providers)
Chain:   ${addresses.chainUrl}  (chain 31337)
Control: ${addresses.controlUrl}`,
)
