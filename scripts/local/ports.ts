import { createServer } from 'node:net'
import { endWithWords } from '../setup.mjs'

const defaultBase = 4000
/** Leaves room for other ranges: browser tests from 100, benchmarks from 700. */
const highestBase = 64_000

type Part = 'server' | 'demo' | 'inbox' | 'smtp' | 'chain' | 'admin'
export type Ports = Readonly<Record<Part, number>>

const parts: Readonly<Record<Part, { offset: number; name: string }>> = {
  server: { offset: 0, name: 'the server' },
  demo: { offset: 10, name: 'the demo' },
  inbox: { offset: 20, name: 'the inbox page' },
  smtp: { offset: 25, name: 'mail (SMTP)' },
  // Not 45, because the `fetch` of browsers and Node refuses port 4045.
  chain: { offset: 35, name: 'the chain' },
  admin: { offset: 40, name: 'the dashboard' },
}

/** Every port of the local product, shifted by LATCHKEY_PORT_BASE. */
export const localPorts = (): Ports => {
  const text = process.env.LATCHKEY_PORT_BASE ?? String(defaultBase)
  const base = Number(text)
  if (!/^\d+$/.test(text) || base < 1024 || base > highestBase) {
    endWithWords(`LATCHKEY_PORT_BASE must be a number from 1024 to ${highestBase}, not "${text}".`)
  }
  const { server, demo, inbox, smtp, chain, admin } = parts
  return {
    server: base + server.offset,
    demo: base + demo.offset,
    inbox: base + inbox.offset,
    smtp: base + smtp.offset,
    chain: base + chain.offset,
    admin: base + admin.offset,
  }
}

const canListen = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    // Without IPv6, no program can block the port there.
    server.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    )
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })

/** Checks both loopback addresses, because browsers try both for a `.localhost` name. */
export const isFree = async (port: number): Promise<boolean> =>
  (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'))

/** Returns a free port. */
export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })

export const refuseTakenPorts = async (ports: Ports): Promise<void> => {
  const takenPorts: string[] = []
  for (const part of Object.keys(parts) as Part[]) {
    const port = ports[part]
    if (!(await isFree(port))) takenPorts.push(`  ${port}, for ${parts[part].name}`)
  }
  if (takenPorts.length === 0) return
  const other = ports.server === 5000 ? 6000 : 5000
  endWithWords(
    `Another program uses ${takenPorts.length === 1 ? 'a port' : 'ports'} of Latchkey:\n${takenPorts.join('\n')}\n` +
      `Stop that program, or move all ports together, for example:\n\n  LATCHKEY_PORT_BASE=${other} npm start\n`,
  )
}
