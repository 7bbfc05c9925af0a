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
const portOf = (server: Server) => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on no port')
  return address.port
}

/** Ports on which nobody listens. They are held together, so that no two are the same. */
export async function freePorts(): Promise<Ports> {
  const held = await Promise.all(names.map(() => listen(0, '127.0.0.1')))
  const [server = 0, control = 0, http = 0, smtp = 0, chain = 0] = held.map(portOf)
  await Promise.all(held.map(close))
  return { server, control, http, smtp, chain }
}

/** Throws when one of them is no port, or two are the same. */
export function parsePorts(value: unknown): Ports {
  const ports = names.map((name) => {
    const port: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
    if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new Error(`${name} is not the number of a port`)
    }
    return port
  })
  if (new Set(ports).size < ports.length) throw new Error('Two of them are the same')
  const [server = 0, control = 0, http = 0, smtp = 0, chain = 0] = ports
  return { server, control, http, smtp, chain }
}

/** The server's port and those after it. */
export const portsFrom = (first: number): Ports => ({
  server: first,
  control: first + 1,
  http: first + 2,
  smtp: first + 3,
  chain: first + 4,
})
