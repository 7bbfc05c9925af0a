/** A TCP proxy on this machine. If one side closes, the other side closes too. */
import { connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  port: number
  /** Closes open connections. New ones are forwarded again. */
  cut: () => void
  close: () => Promise<void>
}

type Options = {
  /** Connections without a target are refused. */
  target: () => { port: number; hostname: string } | undefined
  pass: (client: Socket, upstream: Socket) => void
}

export async function startTcpProxy({ target, pass }: Options): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const to = target()
    if (to === undefined) {
      client.destroy()
      return
    }
    const upstream = connect(to.port, to.hostname)
    for (const socket of [client, upstream]) {
      // Without this, small writes wait for acknowledgements (Nagle's algorithm).
      socket.setNoDelay(true)
      open.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    pass(client, upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: address.port,
    cut,
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
