import { parseArgs } from 'node:util'
import { chainId } from './chain/anvil.ts'
import { type SandboxOptions, startSandbox } from './sandbox.ts'

const usage = `Stands in for every third party on this machine.

  node sandbox/main.ts [--host 127.0.0.1] [--http-port 4020] [--smtp-port 4025] [--chain-port 4035 | off]

Or from the environment: SANDBOX_HOST, SANDBOX_HTTP_PORT, SANDBOX_SMTP_PORT, SANDBOX_CHAIN_PORT. Port 0 means any
free port.`

const refuse = (text: string): never => {
  console.error(text)
  process.exit(1)
}

const portNumber = (name: string, text: string): number => {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) return refuse(`${name} must be a port number, not ${text}`)
  return port
}

const readOptions = (): SandboxOptions => {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: process.env.SANDBOX_HOST ?? '127.0.0.1' },
      'http-port': { type: 'string', default: process.env.SANDBOX_HTTP_PORT ?? '4020' },
      'smtp-port': { type: 'string', default: process.env.SANDBOX_SMTP_PORT ?? '4025' },
      'chain-port': { type: 'string', default: process.env.SANDBOX_CHAIN_PORT ?? '4035' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  const chainPort = values['chain-port']
  return {
    host: values.host,
    httpPort: portNumber('--http-port', values['http-port']),
    smtpPort: portNumber('--smtp-port', values['smtp-port']),
    chainPort: chainPort === 'off' ? 'off' : portNumber('--chain-port', chainPort),
  }
}

const options = readOptions()
const sandbox = await startSandbox(options).catch((error: unknown) => {
  const isPortInUse =
    error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error
  return refuse(
    isPortInUse
      ? `Port ${error.port} is in use. Choose other ports with --http-port, --smtp-port and --chain-port.`
      : `The sandbox did not start: ${error instanceof Error ? error.message : error}`,
  )
})

console.log(`Inbox: ${sandbox.httpUrl}`)
console.log(`SMTP:  ${sandbox.smtpUrl}`)
if (sandbox.chainUrl !== undefined) console.log(`Chain: ${sandbox.chainUrl} (chain ${chainId})`)

let ending = false
const end = async (exitCode: number) => {
  if (ending) return
  ending = true
  await sandbox.stop()
  process.exit(exitCode)
}
process.on('SIGTERM', () => end(0))
process.on('SIGINT', () => end(0))
sandbox.died.then((reason) => {
  console.error(reason)
  return end(1)
})
