import { createServer, type Server } from 'node:net'

export type Ports = Readonly<Record<'server' | 'control' | 'http' | 'smtp' | 'chain', number>>

const names = ['server', 'control', 'http', 'smtp', 'chain'] as const

const listen = (port: number, host: string) =>
  new Promise<Server>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => resolve(server))
  })
const close = (server: Server) => new Promise((resolve) => server.close(resolve))
const getPort = (server: Server) => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}

/** Returns free ports. They are all open at the same time, so that they differ. */
export async function freePorts(): Promise<Ports> {
  const servers = await Promise.all(names.map(() => listen(0, '127.0.0.1')))
  const [server = 0, control = 0, http = 0, smtp = 0, chain = 0] = servers.map(getPort)
  await Promise.all(servers.map(close))
  return { server, control, http, smtp, chain }
}

/** Validates ports. Throws if a port is invalid or occurs twice. */
export function parsePorts(value: unknown): Ports {
  const ports = names.map((name) => {
    const port: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
    if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new Error(`${name} must be a port number`)
    }
    return port
  })
  if (new Set(ports).size < ports.length) throw new Error('The ports must be different')
  const [server = 0, control = 0, http = 0, smtp = 0, chain = 0] = ports
  return { server, control, http, smtp, chain }
}

/** Returns consecutive ports, starting with the server's. */
export const portsFrom = (first: number): Ports => ({
  server: first,
  control: first + 1,
  http: first + 2,
  smtp: first + 3,
  chain: first + 4,
})
